// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import OfflineAPI
@testable import OfflineDownloads
@testable import OfflineLibrary
@testable import OfflineMedia
@testable import OfflineModel

@Suite(.timeLimit(.minutes(15)))
struct RouterItemListTests {
    private func list(_ fixture: TestServer, _ query: String) async throws -> ItemListJSON {
        let response = try await fixture.send("GET", "/api/items" + query)
        #expect(response.status == 200)
        return try JSONCoding.decode(ItemListJSON.self, from: response.body)
    }

    @Test func o30_thePagesOfTheListFollowTheirCursors() async throws {
        try await TestServer.run { fixture in
            for title in ["a", "bb", "ccc"] {
                _ = try fixture.addReady(title: title, bytes: [1])
            }
            let first = try await list(fixture, "?count=2&state=ready")
            #expect(first.items.map(\.title) == ["ccc", "bb"])
            #expect(first.total == 3)
            let next = try #require(first.next)
            let second = try await list(fixture, "?count=2&after=\(next)")
            #expect(second.items.map(\.title) == ["a"])
            #expect(second.next == nil)
            #expect(try await list(fixture, "?state=failed,missing").total == 0)
            let some = try await list(fixture, "?ids=\(first.items[0].id),99")
            #expect(some.items.map(\.title) == ["ccc"])
        }
    }

    @Test(arguments: [
        "?count=0", "?count=1001", "?count=all", "?after=x", "?after=0", "?state=ready,gone",
        "?ids=1,x", "?ids=-1", "?media=films", "?order=oldest",
    ])
    func anInvalidPageIsRefused(_ query: String) async throws {
        try await TestServer.run { fixture in
            let response = try await fixture.send("GET", "/api/items" + query)
            #expect([400, 404].contains(response.status))
            #expect(response.text.contains(". Use "))
        }
    }

    @Test func theFirstEventHasTheNumbersOfAllItems() async throws {
        try await TestServer.run { fixture in
            let item = try fixture.addReady(title: "a", bytes: [1])
            let library = fixture.library
            let received = try await fixture.follow { text in
                let isLost = text.contains(#"{"missing":1}"#)
                if text.contains("event: items"), !isLost {
                    _ = try? library.journal.move(item.id, .lose)
                }
                return isLost
            }
            #expect(received.contains(#"data: {"counts":{"ready":1},"items":[{"#))
            #expect(received.contains("event: counts\ndata: {\"missing\":1}\n"))
        }
    }
}
