// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import OfflineLibrary
@testable import OfflineModel
@testable import OfflineServer

@Suite(.timeLimit(.minutes(15)))
struct RouterPlaybackTests {
    @Test func o31_aPlaybackIsStoredAndSentToOtherPages() async throws {
        try await TestServer.run { fixture in
            let item = try fixture.addReady(title: "Film", bytes: [1])
            let path = "/api/items/\(item.id)/playback"
            #expect(try await fixture.send("GET", path).text == #"{"isWatched":false,"seconds":0}"#)
            async let events = fixture.follow { $0.contains("event: playback") }
            while fixture.server.hub.clientCount == 0 { await Task.yield() }
            let played = try await fixture.send("PUT", path, body: #"{"seconds":40.5}"#)
            #expect(played.status == 200)
            #expect(played.text.contains(#""seconds":40.5"#) && played.text.contains("playedAt"))
            #expect(try await events.contains(#"{"id":1,"playback":{"isWatched":false,"playedAt""#))
            let list = try await fixture.send("GET", "/api/playback").text
            #expect(list.contains(#""title":"Film""#))
            #expect(try await fixture.send("GET", "/api/items/1").text.contains(#""playback":{"#))
            let marked = try await fixture.send("PUT", path, body: #"{"isWatched":true}"#)
            #expect(marked.text.contains(#""isWatched":true"#))
            #expect(try await fixture.send("GET", "/api/playback").text == #"{"items":[]}"#)
            let rest = try await fixture.send("GET", "/api/items?watched=false").text
            #expect(rest == #"{"items":[],"total":0}"#)
        }
    }

    @Test(arguments: [
        ("1/playback", "{}", 400), ("1/playback", "[]", 400), ("1/playback", "", 400),
        ("1/playback", #"{"seconds":-1}"#, 400), ("1/playback", #"{"seconds":1e9}"#, 400),
        ("1/playback", #"{"seconds":1e999}"#, 400), ("1/playback", #"{"seconds":"1"}"#, 400),
        ("1/playback", #"{"isWatched":1}"#, 400), ("1/playback", #"{"seconds":null}"#, 400),
        ("1/playback", #"{"seconds":1,"age":-1}"#, 400), ("1/playback", #"{"age":1}"#, 400),
        ("1/playback", #"{"seconds":1,"age":1e10}"#, 400),
        ("9/playback", #"{"seconds":1}"#, 404), ("x/playback", #"{"seconds":1}"#, 404),
        ("1/playbacks", #"{"seconds":1}"#, 404),
    ])
    func invalidRequestsAreRefused(_ path: String, _ body: String, _ status: Int) async throws {
        try await TestServer.run { fixture in
            let item = try fixture.addReady(title: "Film", bytes: [1])
            let response = try await fixture.send("PUT", "/api/items/\(path)", body: body)
            #expect(response.status == status)
            #expect(response.text.contains(#""error":{"code":"#))
            #expect(try fixture.library.item(item.id).playback == Playback())
            #expect(try await fixture.send("GET", "/api/items/9/playback").status == 404)
            #expect(try await fixture.send("GET", "/api/items?watched=yes").status == 400)
            #expect(try await fixture.send("GET", "/api/playback?count=101").status == 400)
        }
    }
}
