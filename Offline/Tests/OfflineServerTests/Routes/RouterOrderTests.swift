// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import OfflineAPI
@testable import OfflineMedia

@Suite(.timeLimit(.minutes(15)))
struct RouterOrderTests {
    private func add(_ fixture: TestServer, _ name: String) async throws -> ItemRepresentation {
        let body = #"{"url":"https://media.example/\#(name)"}"#
        let response = try await fixture.send("POST", "/api/downloads", body: body)
        return try JSONCoding.decode(ItemRepresentation.self, from: response.body)
    }

    @Test func o22_itemsAreMovedPausedAndCancelledOverHTTP() async throws {
        try await TestServer.run { fixture in
            let items = [try await add(fixture, "a"), try await add(fixture, "b")]
            #expect(items.map(\.position) == [1, 2])
            let path = "/api/items/\(items[1].id)"
            let moved = try await fixture.send("POST", path + "/move", body: #"{"to":"top"}"#)
            #expect(moved.status == 200)
            #expect(moved.text.contains(#""position":0"#))
            let before = #"{"to":"before","item":\#(items[1].id)}"#
            let first = try await fixture.send(
                "POST",
                "/api/items/\(items[0].id)/move",
                body: before
            )
            #expect(first.text.contains(#""position":0"#), "\(first.text)")
            let paused = try await fixture.send("POST", "/api/items/pause", body: "{}")
            #expect(paused.text == #"{"changed":2}"#)
            let late = try await fixture.send("POST", path + "/move", body: #"{"to":"top"}"#)
            #expect(late.status == 409)
            let resumed = try await fixture.send("POST", "/api/items/resume", body: "{}")
            #expect(resumed.text == #"{"changed":2}"#)
            let cancelled = try await fixture.send("POST", path + "/cancel", body: "{}")
            #expect(cancelled.text == #"{"removed":2}"#)
            #expect(try await fixture.send("POST", path + "/cancel", body: "{}").status == 404)
        }
    }

    @Test(arguments: [
        ("1/move", "{}", 400), ("1/move", #"{"to":"first"}"#, 400),
        ("9/move", #"{"to":"up"}"#, 404), ("1/move", #"{"to":"before"}"#, 400),
        ("1/move", #"{"to":"before","item":9}"#, 404), ("1/move", #"{"to":"up","item":1}"#, 400),
        ("x/move", #"{"to":"up"}"#, 404), ("9/cancel", "{}", 404), ("burn", "{}", 404),
    ])
    func invalidRequestsAreRefused(_ path: String, _ body: String, _ status: Int) async throws {
        try await TestServer.run { fixture in
            _ = try await add(fixture, "a")
            let response = try await fixture.send("POST", "/api/items/\(path)", body: body)
            #expect(response.status == status)
        }
    }
}
