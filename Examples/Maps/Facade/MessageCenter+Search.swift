// SPDX-License-Identifier: Apache-2.0
import Tidings

// A facade of the team's own before the message types: who observes gets what is in a message, and
// code completion shows what there is. It hands on the place of the call, so that traces and leak
// reports name the panel and not this file.

extension MessageCenter {
    /// Observes what searching brings, on the main actor, for as long as the owner lives.
    ///
    /// A handler that is left out is not registered.
    func observeSearch<Owner: AnyObject & Sendable>(
        owner: Owner,
        result: (@MainActor @Sendable (Owner, _ name: String, Place?) -> Void)? = nil,
        suggestions: (@MainActor @Sendable (Owner, [Place]) -> Void)? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        observe(owner: owner) { family in
            if let result {
                family.on(.searchCompleted, on: .main, fileID: fileID, line: line) {
                    result($0, $1.name, $1.place)
                }
            }
            if let suggestions {
                family.on(.suggestionsAvailable, on: .main, fileID: fileID, line: line) {
                    suggestions($0, $1.places)
                }
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
