// SPDX-License-Identifier: Apache-2.0
#if NATS
import Foundation
import Testing
import TidingsBridge
import TidingsNATS

@Suite(.timeLimit(.minutes(15)), .serialized)
struct NATSReadingTests {
    @Test func oneFrameIsFoundBySequenceAndBySubject() async throws {
        let server = try await NATSServer()
        let connection = try await server.connect()
        try await connection.publish(frames(0..<3))
        try await connection.publish(frames(3..<4, subject: "shop.orders.us"))
        _ = try await connection.acknowledgements(count: 4)
        let second = try #require(try await connection.frame(at: 2))
        #expect(second.sequence == 2)
        #expect(second.frame == frames(1..<2)[0].frame)
        #expect(abs(second.time.timeIntervalSinceNow) < 600)
        #expect(try await connection.newestFrame(of: "shop.orders.eu")?.sequence == 3)
        #expect(try await connection.newestFrame(of: "shop.orders.de") == nil)
        #expect(try await connection.frame(at: 5) == nil)
        #expect(try await connection.frame(at: 0) == nil)
        let stream = try await connection.stream()
        #expect((stream.first, stream.last) == (1, 4))
    }

    @Test func aReaderBeginsWhereItIsTold() async throws {
        let server = try await NATSServer()
        let connection = try await server.connect()
        try await connection.publish(frames(0..<10))
        _ = try await connection.acknowledgements(count: 10)
        let middle = try #require(try await connection.frame(at: 6))
        let starts: [(StreamStart, UInt64)] = [
            (.beginning, 1), (.sequence(0), 1), (.sequence(4), 4), (.sequence(99), 11), (.now, 11),
            (.time(middle.time), 6), (.time(.distantPast), 1),
        ]
        var readers: [any FrameReader<StoredFrame>] = []
        for (start, _) in starts {
            readers.append(try await connection.read(from: start, SubjectFilter("shop.>")))
        }
        try await connection.publish(frames(10..<11))
        for ((start, first), reader) in zip(starts, readers) {
            let frame = try await reader.next(atMost: 1).first
            #expect(frame?.sequence == first, "\(start)")
        }
    }

    @Test func aReaderReturnsMatchingFramesOnly() async throws {
        let server = try await NATSServer()
        let connection = try await server.connect()
        for row in 0..<6 {
            try await connection.publish(
                frames(row..<(row + 1), subject: row % 2 == 0 ? "shop.a.x" : "shop.b.x")
            )
        }
        let reader = try await connection.read(from: .beginning, SubjectFilter("shop.b.*"))
        #expect(try await reader.frames(count: 3, atMost: 2).map(\.sequence) == [2, 4, 6])
    }

    @Test func theHeadersOfAFrameAreInTheOrderOfTheBridge() async throws {
        let server = try await NATSServer()
        let connection = try await server.connect()
        let headers: FrameHeaders = [
            "x2": "1", "x1": "a", "tidings-type": "lower case", "traceparent": "t",
            "Tidings-Version": "3", "x1": "b", "Tidings-Id": "o-1",
        ]
        let frame = BridgeFrame(subject: "shop.a._", headers: headers)
        try await connection.publish([PublishedFrame(row: 1, frame: frame)])
        let reader = try await connection.read(from: .beginning, SubjectFilter("shop.>"))
        let read = try #require(try await reader.next(atMost: 1).first)
        let expected: FrameHeaders = [
            "Tidings-Id": "o-1", "Tidings-Version": "3", "traceparent": "t",
            "tidings-type": "lower case", "x1": "a", "x1": "b", "x2": "1",
        ]
        #expect(read.frame.headers == expected)
        #expect(try await connection.frame(at: 1)?.frame == read.frame)
    }

    @Test func aGroupHandlesEachFrameOnce() async throws {
        let server = try await NATSServer()
        let (left, right) = (try await server.connect(), try await server.connect())
        let group = SharedGroup(
            name: "workers",
            filter: SubjectFilter("shop.>"),
            workLimit: .seconds(600),
            start: .beginning
        )
        let readers = [try await left.share(group), try await right.share(group)]
        try await left.publish(frames(0..<100))
        var sequences: [UInt64] = []
        while sequences.count < 100 {
            for reader in readers where sequences.count < 100 {
                let frames = try await reader.next(atMost: 3)
                #expect(frames.allSatisfy { $0.attempt == 1 })
                try await reader.acknowledge(frames.map(\.ticket))
                sequences += frames.map(\.stored.sequence)
            }
        }
        #expect(sequences.sorted() == (1...100).map { UInt64($0) })
    }

    @Test func aFrameReturnsToTheGroup() async throws {
        let server = try await NATSServer()
        let connection = try await server.connect()
        let group = SharedGroup(
            name: "workers",
            filter: SubjectFilter("shop.>"),
            workLimit: .seconds(600)
        )
        let reader = try await connection.share(group)
        try await connection.publish(frames(0..<1))
        let first = try #require(try await reader.next(atMost: 1).first)
        try await reader.extend(first.ticket)
        try await reader.retry(first.ticket, after: .milliseconds(50))
        let second = try #require(try await reader.next(atMost: 1).first)
        #expect(second.attempt == 2)
        #expect(second.stored == first.stored)
        try await reader.retry(second.ticket, after: .zero)
        let third = try #require(try await reader.next(atMost: 1).first)
        #expect(third.attempt == 3)
        try await reader.acknowledge([third.ticket])
    }

    @Test func aClosedReaderOfAGroupHandsBackItsFrames() async throws {
        let server = try await NATSServer()
        let (left, right) = (try await server.connect(), try await server.connect())
        let group = SharedGroup(
            name: "workers",
            filter: SubjectFilter("shop.>"),
            workLimit: .seconds(600),
            start: .beginning
        )
        try await left.publish(frames(0..<10))
        _ = try await left.acknowledgements(count: 10)
        let first = try await left.share(group)
        // The reader takes one frame at a time, so no request is open when the frames return.
        let held = try await first.frames(count: 10, atMost: 1)
        for frame in held { try await first.retry(frame.ticket, after: .zero) }
        first.close()
        #expect(try await first.next(atMost: 1).isEmpty)
        let second = try await right.share(group)
        let frames = try await second.frames(count: 10, atMost: 10)
        #expect(Set(frames.map(\.stored.sequence)).count == 10)
    }

    @Test func transientFramesReachTheSubscribed() async throws {
        let server = try await NATSServer()
        let (left, right) = (try await server.connect(), try await server.connect())
        let reader = try await right.subscribe(to: SubjectFilter("here.*"), group: nil)
        var frame = frames(0..<1, subject: "here.now")[0].frame
        frame.replySubject = "here.answer"
        try await left.send([frame])
        #expect(try await reader.next(atMost: 10) == [frame])
        #expect(try await left.stream().last == 0)
        reader.close()
        #expect(try await reader.next(atMost: 1).isEmpty)
    }

    @Test func aRequestWithoutResponderIsAnsweredByTheServer() async throws {
        let server = try await NATSServer()
        let connection = try await server.connect()
        let reader = try await connection.subscribe(to: SubjectFilter("reply.1"), group: nil)
        try await connection.send([BridgeFrame(subject: "ask.x", replySubject: "reply.1")])
        let answer = try #require(try await reader.next(atMost: 1).first)
        #expect(answer.headers[.status] == "no-responder")
    }

    @Test func aCancelledReaderReturnsNothing() async throws {
        let server = try await NATSServer()
        let connection = try await server.connect()
        let reader = try await connection.read(from: .now, SubjectFilter("shop.>"))
        let task = Task { try await reader.next(atMost: 1) }
        task.cancel()
        #expect(try await task.value.isEmpty)
        try await connection.publish(frames(0..<1))
        #expect(try await reader.next(atMost: 1).count == 1)
    }
}

extension NATSServer {
    func connect(
        _ configuration: NATSConfiguration = .patient,
        space: String = "shop"
    ) async throws -> any BridgeConnection {
        try await NATSTransport(address, configuration).connect(to: space, epoch: 1)
    }
}
#endif
