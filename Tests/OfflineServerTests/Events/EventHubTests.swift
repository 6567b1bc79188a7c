// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import Tidings
import TidingsTesting

@testable import OfflineLibrary
@testable import OfflineServer

@Suite(.timeLimit(.minutes(5)))
struct EventHubTests {
    @Test func promise12_aPageBeginsWithEverythingAndHearsEachChangeAtOnce() async throws {
        try await TestServer.run { fixture in
            let item = try fixture.addReady(title: "first", bytes: [1])
            let steps = Lock(0)
            let library = fixture.library
            let changed = Lock(ContinuousClock.now)
            let heard = try await fixture.follow { text in
                let step = steps.withLock { $0 }
                if step == 0, text.contains("event: items") {
                    steps.withLock { $0 = 1 }
                    changed.withLock { $0 = .now }
                    _ = try? library.journal.change(item.id, .title("renamed"))
                } else if step == 1, text.contains("renamed") {
                    steps.withLock { $0 = 2 }
                    // Not with the next keep-alive, which is fifteen seconds away.
                    #expect(changed.withLock { $0 }.duration(to: .now) < .seconds(10))
                    try? library.journal.remove(item.id)
                }
                return text.contains("event: removed")
            }
            #expect(heard.contains("event: hello\ndata: {\"client\":1,\"version\":1}\n\n"))
            #expect(heard.contains("\"title\":\"first\""))
            #expect(heard.contains("event: removed\ndata: {\"id\":\(item.id)}\n\n"))
        }
    }

    @Test func progressArrivesWithoutTheWholeItem() async throws {
        try await TestServer.run { fixture in
            let item = try fixture.addReady(title: "first", bytes: [1])
            let library = fixture.library
            let heard = try await fixture.follow { text in
                if text.contains("event: items"), !text.contains("event: progress") {
                    var progress = DownloadProgress()
                    progress.receivedBytes = 50
                    progress.totalBytes = 200
                    library.messages.post(DownloadProgressed(id: item.id, progress: progress))
                }
                return text.contains("event: progress")
            }
            let line = heard.components(separatedBy: "event: progress\ndata: ").last ?? ""
            #expect(
                line.hasPrefix(#"{"fraction":0.25,"id":1,"receivedBytes":50,"totalBytes":200}"#)
            )
        }
    }

    @Test func whetherAPersonLooksAtThePageEndsWithThePage() async throws {
        try await TestServer.run { fixture in
            let hub = fixture.server.hub
            let stream = hub.connect()
            let other = hub.connect()
            #expect(!hub.isInFront)
            let body = #"{"client":2,"inFront":true}"#
            let answer = try await fixture.ask("POST", "/api/presence", body: body)
            #expect(answer.text == body)
            #expect(hub.isInFront)
            stream.end()
            #expect(hub.isInFront)
            other.end()
            #expect(!hub.isInFront)
            let late = try await fixture.ask("POST", "/api/presence", body: body)
            #expect(late.status == 404)
        }
    }

    @Test func aPageHearsThatTheNetworkIsGone() async throws {
        try await TestServer.run { fixture in
            let connectivity = fixture.library.connectivity.state
            let heard = try await fixture.follow { text in
                let isOnline = text.contains(#"{"state":"online"}"#)
                if text.contains(#"{"state":"unknown"}"#), !isOnline {
                    connectivity.updateData(.online)
                } else if isOnline {
                    connectivity.updateData(.offline)
                }
                return text.contains(#"{"state":"offline"}"#)
            }
            let events = heard.components(separatedBy: "event: connectivity\ndata: ")
            #expect(
                events.dropFirst().map { $0.prefix { $0 != "\n" } } == [
                    #"{"state":"unknown"}"#, #"{"state":"online"}"#, #"{"state":"offline"}"#,
                ]
            )
        }
    }

    @Test func aSilentLineIsKeptAlive() async throws {
        let clock = ManualClock()
        try await TestServer.run(clock: clock) { fixture in
            try await clock.waitForSleepers()
            let heard = try await fixture.follow { text in
                if text.contains("event: items"), !text.contains(": keep-alive") {
                    clock.advance(by: EventHub.keepAliveInterval)
                }
                return text.contains(": keep-alive")
            }
            #expect(heard.contains(": keep-alive\n\n"))
        }
    }

    @Test func stoppingEndsThePagesInsteadOfWaitingForThem() async throws {
        try await TestServer.run { fixture in
            let server = fixture.server
            let heard = try await fixture.follow { text in
                if text.contains("event: items") {
                    Task { await server.stop() }
                    return false
                }
                return false
            }
            // The client read until the server ended the body properly: a last chunk of length 0.
            #expect(heard.hasSuffix("0\r\n\r\n"))
        }
    }

    @Test func aClientThatReadsNothingHoldsNobodyUp() async throws {
        try await TestServer.run { fixture in
            let stream = fixture.server.hub.connect()
            let item = try fixture.addReady(title: "busy", bytes: [1])
            for step in 0..<20_000 {
                var progress = DownloadProgress()
                progress.receivedBytes = Int64(step)
                fixture.library.messages.post(DownloadProgressed(id: item.id, progress: progress))
            }
            #expect(try await fixture.ask("GET", "/api/items").status == 200)
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
