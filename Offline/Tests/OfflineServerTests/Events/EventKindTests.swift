// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import OfflineServer

/// Compares the names of the events in the code, the page and the description of the API.
@Suite(.timeLimit(.minutes(15)))
struct EventKindTests {
    private static let ofActivity: Set<String> = ["activity", "post"]
    private static let ofLibrary = Set(EventKind.allCases.map(\.rawValue)).subtracting(ofActivity)

    private func page(_ name: String) throws -> String {
        let page = try ResourceFiles(folder: ResourceFolder.find().path + "/Page")
        return String(decoding: try #require(page[name]).bytes, as: UTF8.self)
    }

    /// Returns the names in the tables below the heading of an address.
    private func described(below heading: String) throws -> [String] {
        let document = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../Documentation/API.md")
        let text = try String(contentsOf: document, encoding: .utf8)
        let start = try #require(text.firstRange(of: "\n### `\(heading)`\n")?.upperBound)
        let section = text[start...].prefix { $0 != "#" }
        return section.matches(of: #/\n\| `(\w+)` \|/#).map { String($0.1) }
    }

    @Test func thePageListensForEveryKind() throws {
        let names = try page("shared/store.js").matches(of: #/listen\("(\w+)"/#).map {
            String($0.1)
        }
        #expect(names.count == Self.ofLibrary.count)
        #expect(Set(names) == Self.ofLibrary)
    }

    @Test func theActivitySectionListensForItsKinds() throws {
        let names = try page("developer/activity.js").matches(
            of: #/source\.addEventListener\("(\w+)"/#
        )
        .map { String($0.1) }
        #expect(Set(names) == Self.ofActivity)
    }

    @Test func theDescriptionOfTheAPIHasEveryKind() throws {
        let names = try described(below: "GET /api/events")
        #expect(names.count == Self.ofLibrary.count)
        #expect(Set(names) == Self.ofLibrary)
        #expect(Set(try described(below: "GET /api/activity/events")) == Self.ofActivity)
    }
}
