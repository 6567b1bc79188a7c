// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import Tidings
import TidingsLock
import TidingsTesting
import TidingsTracing

@testable import OfflineAPI
@testable import OfflineLibrary
@testable import OfflineServer

private struct Secret: Message {
    let text: String
}

private struct Described: Message {
    static var tracing: MessageTracing { .described }
    let text: String
}

@Suite(.timeLimit(.minutes(15)))
struct RouterActivityTests {
    private func snapshot(_ fixture: TestServer) async throws -> ActivityJSON {
        let response = try await fixture.send("GET", "/api/activity")
        #expect(response.status == 200)
        return try JSONCoding.decode(ActivityJSON.self, from: response.body)
    }

    /// Returns the text that a follower reads until `isLast` returns true, and calls `post` once.
    private func follow(
        _ fixture: TestServer,
        posting post: @escaping @Sendable () -> Void,
        until isLast: @escaping @Sendable (String) -> Bool
    ) async throws -> String {
        let hasPosted = Lock(false)
        return try await fixture.follow("/api/activity/events") { text in
            let isFirst = hasPosted.withLock { hasPosted in
                defer { hasPosted = hasPosted || text.contains("event: activity") }
                return !hasPosted && text.contains("event: activity")
            }
            if isFirst { post() }
            return isLast(text)
        }
    }

    @Test func nothingIsRecordedWithoutAFollower() async throws {
        try await TestServer.run { fixture in
            let messages = fixture.library.messages
            messages.post(Secret(text: "hunter2"))
            let activity = try await snapshot(fixture)
            #expect(!activity.isWatched)
            #expect(activity.posts.isEmpty)
            #expect(!activity.observations.contains { $0.location.contains("ActivityWatch") })
        }
    }

    @Test func observationsAreListedBySourceLocation() async throws {
        try await TestServer.run { fixture in
            let places = try await snapshot(fixture).observations
            let hub = try #require(places.first { $0.messages == ["DownloadProgressed"] })
            #expect(hub.location.hasPrefix("OfflineServer/EventHub.swift:"))
            #expect(hub.kinds == ["owned handler": 1])
        }
    }

    @Test func aFollowerSeesEachPostWithItsHandlers() async throws {
        try await TestServer.run { fixture in
            let messages = fixture.library.messages
            let token = messages.observe(Described.self) { _ in }
            let text = try await follow(fixture) {
                messages.post(Described(text: "a word"))
                messages.post(Secret(text: "hunter2"))
            } until: {
                $0.contains(#""message":"Secret""#)
            }
            #expect(text.contains(#""message":"Described""#))
            #expect(text.contains("a word"))
            #expect(text.contains(#""outcome":"called""#))
            #expect(text.contains("RouterActivityTests.swift"))
            #expect(text.contains(#""outcome":"unhandled""#))
            #expect(!text.contains("hunter2"))
            token.cancel()
        }
    }

    @Test func theRecordingEndsWithItsLastFollower() async throws {
        let center = MessageCenter()
        let activity = ActivityWatch(center, clock: ManualClock())
        let (one, other) = (activity.connect(), activity.connect())
        #expect(activity.snapshot.isWatched)
        center.post(Secret(text: ""))
        #expect(activity.snapshot.posts.map(\.message) == ["Secret"])
        one.end()
        #expect(activity.snapshot.isWatched)
        other.end()
        #expect(!activity.snapshot.isWatched)
        #expect(activity.snapshot.posts.isEmpty)
        #expect(center.observations().isEmpty)
    }

    @Test func anUnreadStreamEndsTheRecording() {
        let center = MessageCenter()
        let activity = ActivityWatch(center, clock: ManualClock())
        _ = activity.connect()
        #expect(!activity.snapshot.isWatched)
        #expect(center.observations().isEmpty)
    }

    @Test func anIdleFollowerHoldsAtMostTheRecordedPosts() {
        let center = MessageCenter()
        let activity = ActivityWatch(center, clock: ManualClock())
        let stream = activity.connect()
        for _ in 0..<5_000 { center.post(Secret(text: "")) }
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        let result = buffer.withUnsafeMutableBytes {
            stream.read(into: $0, pause: {}, resume: {})
        }
        guard case .bytes(let count) = result else {
            Issue.record("nothing to read")
            return
        }
        let text = String(decoding: buffer[..<count], as: UTF8.self)
        #expect(text.components(separatedBy: "event: post").count - 1 == ActivityWatch.capacity)
        #expect(text.contains("\"number\""))
        stream.end()
    }

    @Test func anIdleStreamIsKeptAlive() async throws {
        let clock = ManualClock()
        let activity = ActivityWatch(MessageCenter(), clock: clock)
        let stream = activity.connect()
        try await clock.waitForSleepers()
        let resumed = Gate()
        var buffer = [UInt8](repeating: 0, count: 65_536)
        func read() -> EventStream.ReadResult {
            buffer.withUnsafeMutableBytes {
                stream.read(into: $0, pause: {}, resume: { resumed.open() })
            }
        }
        _ = read()
        #expect(read() == .empty)
        clock.advance(by: EventHub.keepAliveInterval)
        try await resumed.wait()
        guard case .bytes(let count) = read() else {
            Issue.record("nothing to read")
            return
        }
        #expect(String(decoding: buffer[..<count], as: UTF8.self) == ": keep-alive\n\n")
        stream.end()
    }

    @Test func aRequestWithoutATokenIsRefused() async throws {
        try await TestServer.run { fixture in
            let lines = ["GET /api/activity HTTP/1.1", "Host: 127.0.0.1:\(fixture.client.port)"]
            let response = try await fixture.client.send(lines, body: [])
            #expect(response.status == 403)
        }
    }
}
