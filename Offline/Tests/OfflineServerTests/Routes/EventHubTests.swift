// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import Tidings
import TidingsLock
import TidingsTesting

@testable import OfflineDownloads
@testable import OfflineLibrary
@testable import OfflineModel
@testable import OfflineServer
@testable import OfflineStore

@Suite(.timeLimit(.minutes(15)))
struct EventHubTests {
    @Test func o12_aPageReceivesTheStateAndThenEachChangeAtOnce() async throws {
        // A manual clock sends no keep-alive comments, which could carry a change with them.
        try await TestServer.run(clock: ManualClock()) { fixture in
            let item = try fixture.addReady(title: "first", bytes: [1])
            let steps = Lock(0)
            let library = fixture.library
            let received = try await fixture.follow { text in
                let step = steps.withLock { $0 }
                if step == 0, text.contains("event: items") {
                    steps.withLock { $0 = 1 }
                    _ = try? library.journal.change(item.id, .title("renamed"))
                } else if step == 1, text.contains("renamed") {
                    steps.withLock { $0 = 2 }
                    try? library.journal.remove(item.id)
                }
                return text.contains("event: removed")
            }
            let name = try library.journal.preferences.identity()
            let hello = "{\"client\":1,\"library\":\"\(name)\",\"version\":1}"
            #expect(received.contains("event: hello\ndata: \(hello)\n\n"))
            // A page asks for the permission above the items. The question must not move an item.
            let names = received.components(separatedBy: "event: ").dropFirst()
            #expect(
                names.prefix(6).map { $0.prefix { $0 != "\n" } }
                    == ["hello", "preferences", "items", "queue", "connectivity", "catalog"]
            )
            #expect(received.contains("\"title\":\"first\""))
            #expect(received.contains("event: removed\ndata: {\"id\":\(item.id)}\n\n"))
        }
    }

    @Test func progressArrivesWithoutTheWholeItem() async throws {
        try await TestServer.run { fixture in
            let item = try fixture.addReady(title: "first", bytes: [1])
            let library = fixture.library
            let received = try await fixture.follow { text in
                if text.contains("event: items"), !text.contains("event: progress") {
                    var progress = DownloadProgress()
                    progress.receivedBytes = 50
                    progress.totalBytes = 200
                    library.messages.post(DownloadProgressed(id: item.id, progress: progress))
                }
                return text.contains("event: progress")
            }
            let line = received.components(separatedBy: "event: progress\ndata: ").last ?? ""
            #expect(
                line.hasPrefix(#"{"fraction":0.25,"id":1,"receivedBytes":50,"totalBytes":200}"#)
            )
        }
    }

    @Test func thePresenceOfAPageEndsWithItsStream() async throws {
        try await TestServer.run { fixture in
            let hub = fixture.server.hub
            let stream = await hub.connect { nil }
            let other = await hub.connect { nil }
            #expect(!hub.isInFront)
            let body = #"{"client":2,"inFront":true}"#
            let response = try await fixture.send("POST", "/api/presence", body: body)
            #expect(response.text == body)
            #expect(hub.isInFront)
            stream.end()
            #expect(hub.isInFront)
            other.end()
            #expect(!hub.isInFront)
            let late = try await fixture.send("POST", "/api/presence", body: body)
            #expect(late.status == 404)
        }
    }

    @Test func aPageReceivesTheLossOfTheNetwork() async throws {
        try await TestServer.run { fixture in
            let connectivity = fixture.library.connectivity.state
            let received = try await fixture.follow { text in
                let isOnline = text.contains(#"{"state":"online"}"#)
                if text.contains(#"{"state":"unknown"}"#), !isOnline {
                    connectivity.updateData(.online)
                } else if isOnline {
                    connectivity.updateData(.offline)
                }
                return text.contains(#"{"state":"offline"}"#)
            }
            let events = received.components(separatedBy: "event: connectivity\ndata: ")
            #expect(
                events.dropFirst().map { $0.prefix { $0 != "\n" } } == [
                    #"{"state":"unknown"}"#, #"{"state":"online"}"#, #"{"state":"offline"}"#,
                ]
            )
        }
    }

    @Test func anIdleStreamIsKeptAlive() async throws {
        let clock = ManualClock()
        try await TestServer.run(clock: clock) { fixture in
            try await clock.waitForSleepers()
            let received = try await fixture.follow { text in
                if text.contains("event: items"), !text.contains(": keep-alive") {
                    clock.advance(by: EventHub.keepAliveInterval)
                }
                return text.contains(": keep-alive")
            }
            #expect(received.contains(": keep-alive\n\n"))
        }
    }

    @Test func stoppingEndsTheStreamsInsteadOfWaitingForThem() async throws {
        try await TestServer.run { fixture in
            let server = fixture.server
            let received = try await fixture.follow { text in
                if text.contains("event: items") {
                    Task { await server.stop() }
                    return false
                }
                return false
            }
            // The server ended the body properly with a last chunk of length 0.
            #expect(received.hasSuffix("0\r\n\r\n"))
        }
    }

    @Test func aClientThatReadsNothingDelaysNoOther() async throws {
        try await TestServer.run { fixture in
            let stream = await fixture.server.hub.connect { nil }
            let item = try fixture.addReady(title: "busy", bytes: [1])
            for step in 0..<20_000 {
                var progress = DownloadProgress()
                progress.receivedBytes = Int64(step)
                fixture.library.messages.post(DownloadProgressed(id: item.id, progress: progress))
            }
            #expect(try await fixture.send("GET", "/api/items").status == 200)
            var buffer = [UInt8](repeating: 0, count: 65_536)
            let result = buffer.withUnsafeMutableBytes {
                stream.read(into: $0, pause: {}, resume: {})
            }
            guard case .bytes(let count) = result else {
                Issue.record("nothing to read")
                return
            }
            let text = String(decoding: buffer[..<count], as: UTF8.self)
            #expect(text.components(separatedBy: "event: progress").count == 2)
            #expect(text.contains("\"receivedBytes\":19999"))
        }
    }
}
