// SPDX-License-Identifier: Apache-2.0
import Tidings

// This facade for the message types passes the content of a message to handlers, and code
// completion lists the functions. The facade passes on the call site, so that traces and leak
// reports name the panel and not this file.

extension MessageCenter {
    /// Observes search results and suggestions on the main actor, for the lifetime of the owner.
    ///
    /// Only the given handlers are registered.
    func observeSearch<Owner: AnyObject & Sendable>(
        owner: Owner,
        result: (@MainActor @Sendable (Owner, _ name: String, Place?) -> Void)? = nil,
        suggestions: (@MainActor @Sendable (Owner, [Place]) -> Void)? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        if let result {
            messages(.searchCompleted).observe(owner: owner, on: .main, fileID: fileID, line: line)
            {
                result($0, $1.name, $1.place)
            }
        }
        if let suggestions {
            messages(.suggestionsAvailable).observe(
                owner: owner,
                on: .main,
                fileID: fileID,
                line: line
            ) {
                suggestions($0, $1.places)
            }
        }
    }

    func postSearchCompleted(
        _ name: String,
        place: Place?,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        post(SearchCompleted(name: name, place: place), fileID: fileID, line: line)
    }

    func postSuggestionsAvailable(
        _ places: [Place],
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        post(SuggestionsAvailable(places: places), fileID: fileID, line: line)
    }
}
