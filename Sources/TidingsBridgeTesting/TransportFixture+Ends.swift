// SPDX-License-Identifier: Apache-2.0
import TidingsBridge
import TidingsLock
import TidingsTesting

extension TransportFixture {
    func aClosedConnectionEndsEveryCall() async throws {
        let connection = try await connect()
        let reader = try await connection.read(from: .now, all)
        async let waiting = end { _ = try await reader.next(atMost: 1) }
        async let unanswered = end { _ = try await connection.acknowledgements(atMost: 1) }
        connection.close()
        connection.close()
        let late = await end { try await connection.publish([frame(1)]) }
        let state = await end { _ = try await connection.stream() }
        for (call, error) in [
            ("next", await waiting), ("acknowledgements", await unanswered), ("publish", late),
            ("stream", state),
        ] {
            try expect(error?.code == .closed, "\(call) ended with \(error as Any).")
        }
    }

    func cancellationEndsAWait() async throws {
        let connection = try await connect()
        defer { connection.close() }
        let reader = try await connection.read(from: .now, all)
        let reading = Task { try await reader.next(atMost: 1) }
        let acknowledging = Task { try await connection.acknowledgements(atMost: 1) }
        reading.cancel()
        acknowledging.cancel()
        let (frames, rows) = (try await reading.value, try await acknowledging.value)
        try expect(frames.isEmpty && rows.isEmpty, "A cancelled task received something.")
        try await publish([frame(1)], over: connection)
    }

    private func end(of body: () async throws -> Void) async -> TransportError? {
        do {
            try await body()
            return nil
        } catch {
            return error as? TransportError
        }
    }

    // MARK: Shared work

    private func group(
        _ limit: Duration = .seconds(60),
        name: String = "workers"
    ) -> SharedGroup {
        SharedGroup(name: name, filter: all, workLimit: limit, start: .beginning)
    }

    func sharedFramesAreHandledOnce() async throws {
        let connections = [try await connect(), try await connect()]
        defer { for connection in connections { connection.close() } }
        try await publish((1...20).map { frame($0) }, over: connections[0])
        let first = try await connections[0].share(group())
        let second = try await connections[1].share(group())
        let abandoned = try await first.next(atMost: 5)
        var seen: [Int] = []
        // The frames of a connection that ends go to another connection.
        connections[0].close()
        while Set(seen).count < 20 {
            let frames = try await second.next(atMost: 5)
            seen += numbers(frames.map(\.stored))
            try await second.acknowledge(frames.map(\.ticket))
        }
        try expect(!abandoned.isEmpty, "The first connection received nothing.")
        try expect(seen.count == 20, "Acknowledged frames were delivered again: \(seen).")
    }

    func aReturnedFrameComesBack() async throws {
        let connection = try await connect()
        defer { connection.close() }
        try await publish([frame(1)], over: connection)
        let reader = try await connection.share(group())
        let first = try await reader.next(atMost: 1)
        try await reader.retry(first[0].ticket, after: .zero)
        let second = try await reader.next(atMost: 1)
        try expect(second.first?.stored == first[0].stored, "Another frame came back.")
        try expect((second.first?.attempt ?? 0) >= 2, "The attempt was not counted.")
        try await reader.acknowledge(second.map(\.ticket))
    }

    /// Checks work whose limit is extended.
    ///
    /// A machine that is too busy to extend the work in time shows nothing, and gets a longer
    /// limit.
    func workThatGoesOnKeepsItsFrame() async throws {
        let connection = try await connect()
        defer { connection.close() }
        try await publish([frame(1), frame(2)], over: connection)
        var limit = Duration.seconds(2)
        while try await !extendedWorkIsKept(limit) { limit *= 2 }
    }

    /// Returns whether a frame stayed with its connection.
    ///
    /// The result is false only if the work was not extended in time.
    private func extendedWorkIsKept(_ limit: Duration) async throws -> Bool {
        let (first, second) = (try await connect(), try await connect())
        defer {
            first.close()
            second.close()
        }
        let group = group(limit, name: "workers\(limit.components.seconds)")
        let (long, other) = (try await first.share(group), try await second.share(group))
        let start = ContinuousClock.now
        var held: [SharedFrame] = []
        while held.count < 2 { held += try await long.next(atMost: 1) }
        let ticket = held[0].ticket
        let extending = Task {
            try await longestPause(extending: ticket, of: long, since: start)
        }
        defer { extending.cancel() }
        // Each delivery of the second frame takes a whole limit, because no reader acknowledges.
        var found: [SharedFrame] = []
        while found.count < 2 { found += try await other.next(atMost: 1) }
        extending.cancel()
        let wanted = held[1].stored.sequence
        let isKept = found.allSatisfy { $0.stored.sequence == wanted }
        let wasExtended = try await extending.value < limit
        try expect(
            isKept || !wasExtended,
            "A frame whose limit was extended went to another connection."
        )
        try await other.acknowledge(found.map(\.ticket))
        try await long.acknowledge([ticket])
        return isKept
    }

    /// Extends work until the task is cancelled.
    ///
    /// - Returns: The longest time between the start of one extension and the end of the next.
    private func longestPause(
        extending ticket: String,
        of reader: any SharedReader,
        since start: ContinuousClock.Instant
    ) async throws -> Duration {
        var (longest, last) = (Duration.zero, start)
        repeat {
            let begin = ContinuousClock.now
            try await reader.extend(ticket)
            longest = max(longest, .now - last)
            last = begin
            try? await Task.sleep(for: .milliseconds(50))
        } while !Task.isCancelled
        return max(longest, .now - last)
    }

    // MARK: Transient frames

    func transientFramesAreNotStored() async throws {
        let (sender, receiver) = (try await connect(), try await connect())
        defer {
            sender.close()
            receiver.close()
        }
        let filter = SubjectFilter("\(space)+now.>")
        let reader = try await receiver.subscribe(to: filter, group: nil)
        var frame = frame(1).frame
        frame.subject = "\(space)+now.a._"
        frame.replySubject = "\(space)+reply.1"
        try await sender.send([frame])
        let found = try await reader.next(atMost: 9)
        try expect(found.map(\.body) == [frame.body], "The subscription received \(found).")
        try expect(found[0].replySubject == frame.replySubject, "The reply's subject was lost.")
        try expect(found[0].headers.id == frame.headers.id, "The headers were lost.")
        let late = try await receiver.subscribe(to: filter, group: nil)
        frame.body = [2]
        try await sender.send([frame])
        let next = try await late.next(atMost: 9)
        try expect(next.map(\.body) == [[2]], "A later subscription received \(next).")
        let stream = try await sender.stream()
        try expect(stream.last < stream.first, "A transient frame was stored.")
    }

    func groupsShareTransientFrames() async throws {
        let (sender, receiver) = (try await connect(), try await connect())
        defer {
            sender.close()
            receiver.close()
        }
        let filter = SubjectFilter("\(space)+now.>")
        let members = [
            try await receiver.subscribe(to: filter, group: "g"),
            try await receiver.subscribe(to: filter, group: "g"),
        ]
        let frames = (1...30).map {
            BridgeFrame(subject: "\(space)+now.a._", body: [UInt8($0)])
        }
        let collected = CollectedBodies()
        let tasks = members.map { member in
            Task {
                while true {
                    let found = try await member.next(atMost: 4)
                    if found.isEmpty { return }
                    collected.add(found.map(\.body))
                }
            }
        }
        try await sender.send(frames)
        try await collected.count.wait(for: 30)
        for member in members { member.close() }
        for task in tasks { try await task.value }
        let received = collected.bodies.withLock { $0 }
        try expect(Set(received).count == received.count, "Both members received a frame.")
    }
}

extension TransportFixture {
    func transientFramesGoToOthers() async throws {
        let (sender, receiver) = (try await connect(), try await connect())
        defer {
            sender.close()
            receiver.close()
        }
        let filter = SubjectFilter("\(space)+now.>")
        let own = try await sender.subscribe(to: filter, group: "g")
        let other = try await receiver.subscribe(to: filter, group: "g")
        for number in 1...10 {
            let frame = BridgeFrame(subject: "\(space)+now.a._", body: [UInt8(number)])
            try await sender.send([frame])
        }
        var found: [[UInt8]] = []
        while found.count < 10 { found += try await other.next(atMost: 10).map(\.body) }
        try expect(found == (1...10).map { [UInt8($0)] }, "The other member received \(found).")
        // The own subscription first receives a frame of the receiving connection.
        other.close()
        var frames: [BridgeFrame] = []
        while frames.isEmpty {
            try await receiver.send([BridgeFrame(subject: "\(space)+now.a._", body: [99])])
            frames = try await own.next(atMost: 10)
        }
        try expect(frames.allSatisfy { $0.body == [99] }, "A connection received its own frame.")
    }

    func aRequestWithoutReceiverIsAnswered() async throws {
        let connection = try await connect()
        defer { connection.close() }
        let replies = SubjectFilter("\(space)+reply.a.*")
        let reader = try await connection.subscribe(to: replies, group: nil)
        // A subscription of the same connection does not count.
        let asks = SubjectFilter("\(space)+ask.a")
        let own = try await connection.subscribe(to: asks, group: "g")
        defer { own.close() }
        let reply = "\(space)+reply.a.1"
        try await connection.send([BridgeFrame(subject: asks.pattern, replySubject: reply)])
        let answer = try await reader.next(atMost: 1).first
        try expect(answer?.subject == reply, "The answer has another subject.")
        try expect(answer?.headers[.status] == "no-responder", "The answer has no status.")
    }
}

/// The bodies that several readers have received.
private final class CollectedBodies: Sendable {
    let bodies = Lock<[[UInt8]]>([])
    let count = WaitableCounter()

    func add(_ found: [[UInt8]]) {
        bodies.withLock { $0 += found }
        count.add(found.count)
    }
}
