// SPDX-License-Identifier: Apache-2.0
#if NATS
import Foundation
import Testing
import TidingsBridge
import TidingsCoreFixtures
import TidingsLock

@testable import TidingsNATS

/// The border to the C library.
@Suite(.timeLimit(.minutes(15)), .serialized)
struct NATSClientTests {
    @Test func noJetStreamCallOfTheLibraryIsLinked() throws {
        let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let text = try ChildProgram.output(of: ["nm", "-D", "--undefined-only", tests])
        let symbols = text.split(whereSeparator: \.isWhitespace).map(String.init)
        #expect(symbols.contains("natsConnection_PublishMsg"))
        let forbidden = symbols.filter { symbol in
            symbol.hasPrefix("js_") || symbol.hasPrefix("kvStore_")
                || symbol.hasPrefix("natsSubscription_Fetch") || symbol.hasPrefix("natsMsg_Ack")
                || symbol.hasPrefix("natsMsg_Nak") || symbol == "natsConnection_JetStream"
        }
        #expect(forbidden == [])
    }

    @MainActor
    @Test func b18_onlyTheLibrarysThreadCallsAReceiver() async throws {
        let server = try await NATSServer()
        let ended = Gate()
        let client = try ClientConnection(
            .test(server),
            events: ClientEvents(ended: { ended.open() }, failed: { _ in })
        )
        let received = CallbackQueue<(isMain: Bool, text: String)>()
        let subscription = try client.subscribe(to: "a") { message in
            let text = message.withBody { String(decoding: $0, as: UTF8.self) }
            received.append((Thread.isMainThread, text))
        }
        try client.publish(to: "a", replyTo: nil, "hello")
        try client.flush(within: .seconds(10))
        let first = try #require(try await received.take(atMost: 1).first)
        #expect(first == (false, "hello"))
        subscription.end()
        client.close()
        await ended.wait()
    }

    @Test(arguments: [(Int.min, 0), (-1, 0), (0, 5), (2, 3), (5, 0), (6, 0), (.max, 0), (nil, 0)])
    func b15_aNumberOfMissingFramesThatCannotBeIsIgnored(rest: Int?, expected: Int) {
        #expect(PullReader.outstanding(5, without: rest) == expected)
    }

    @Test func b5_anAcknowledgementBeforeTheEndIsSent() async throws {
        let server = try await NATSServer()
        let group = SharedGroup(
            name: "workers",
            filter: SubjectFilter("shop.jobs.*"),
            workLimit: .seconds(600),
            start: .beginning
        )
        let connections = [
            try await NATSTransport(server.address, .patient).connect(to: "shop", epoch: 1),
            try await NATSTransport(server.address, .patient).connect(to: "shop", epoch: 2),
        ]
        for number in 1...2 {
            let frame = BridgeFrame(subject: "shop.jobs._", body: [UInt8(number)])
            try await connections[0].publish([PublishedFrame(row: number, frame: frame)])
        }
        let first = try #require(connections[0] as? NATSConnection)
        let reader = try await first.share(group)
        let frame = try #require(try await reader.next(atMost: 1).first)
        let gate = DispatchSemaphore(value: 0)
        first.queue.run { gate.wait() }
        try await reader.acknowledge([frame.ticket])
        first.close()
        let ended = Gate()
        first.queue.run { ended.open() }
        gate.signal()
        await ended.wait()
        let name = "CONSUMER.INFO.shop.workers"
        struct Info: Decodable, Sendable { let numAckPending: Int }
        let second = try #require(connections[1] as? NATSConnection)
        // The server takes an acknowledgement some time later.
        while try await second.ask(name, for: Info.self).get().numAckPending > 0 {
            try Task.checkCancellation()
        }
        second.close()
    }

    @Test func aReceiverIsReleasedAfterItsSubscription() async throws {
        let server = try await NATSServer()
        let client = try ClientConnection(.test(server), events: .none)
        let released = Gate()
        try client.subscribeAndForget(Canary(released))
        await released.wait()
        client.close()
    }

    @Test func aReceiverIsReleasedAfterItsConnection() async throws {
        let server = try await NATSServer()
        let released = Gate()
        let client = try ClientConnection(.test(server), events: .none)
        let canary = Canary(released)
        let subscription = try client.subscribe(to: "a") { [canary] _ in canary.touch() }
        await server.kill()
        withExtendedLifetime(subscription) {}
        _ = consume canary
        await released.wait()
    }

    @Test func aReleasedConnectionEnds() async throws {
        let server = try await NATSServer()
        let witness = try await server.connect()
        let reader: any FrameReader<BridgeFrame>
        do {
            let connection = try await server.connect()
            reader = try await connection.subscribe(to: SubjectFilter("x"), group: nil)
        }
        try await witness.send([BridgeFrame(subject: "x")])
        #expect(try await reader.next(atMost: 1).count == 1)
        reader.close()
    }

    @Test(
        arguments: [
            (#"{"stream":"shop", "seq":22924}"#, 22_924, false, false),
            (#"{"stream":"seq","seq": 7 ,"duplicate": true}"#, 7, true, false),
            (#"{"a":{"seq":9},"b":["seq",1],"seq":3}"#, 3, false, false),
            (#"{"error":{"code":503,"err_code":10023},"stream":"shop","seq":0}"#, 0, false, true),
            (#"{"stream":"a\"seq\":5","seq":6}"#, 6, false, false),
            (#"{"seq":18446744073709551616}"#, nil, false, false),
            (#"{"seq":"4"}"#, nil, false, false),
            (#"{"seq"#, nil, false, false),
            (#"{"a":"\"#, nil, false, false),
            ("", nil, false, false),
            ("+OK", nil, false, false),
        ] as [(String, UInt64?, Bool, Bool)]
    )
    func anAcknowledgementIsRead(
        text: String,
        sequence: UInt64?,
        isDuplicate: Bool,
        isError: Bool
    ) {
        let read = [UInt8](text.utf8).withUnsafeBytes { AcknowledgementText($0) }
        #expect(read.sequence == sequence)
        #expect(read.isDuplicate == isDuplicate)
        #expect(read.isError == isError)
    }

    @Test func headersOfABlockAreInTheOrderOfTheBridge() {
        let block = "NATS/1.0\r\nx2: 1\r\ntraceparent: 2\r\nx1:\r\nTidings-Id:  a:b \r\n\r\n"
        let headers = FrameForm.headers(block: [UInt8](block.utf8))
        let expected: FrameHeaders = [
            "Tidings-Id": "a:b ", "traceparent": "2", "x1": "", "x2": "1",
        ]
        #expect(headers == expected)
    }

    @Test(
        arguments: [
            ("$JS.ACK.shop.c.1.22.3.1700000000000000000.4", 22, 3),
            ("$JS.ACK.hub.acc.shop.c.1.22.3.1700000000000000000.4.token", 22, 3),
            ("$JS.ACK.hub.acc.shop.c.1.22.3.1700000000000000000.4", 22, 3),
            ("$JS.ACK.shop.c.1.22.3", nil, nil), ("$JS.ACK.shop.c.x.y.z.t.p", nil, nil),
            ("_INBOX.x", nil, nil),
        ] as [(String, UInt64?, UInt64?)]
    )
    func theReplySubjectOfADeliveryIsRead(reply: String, sequence: UInt64?, delivery: UInt64?) {
        let place = [UInt8](reply.utf8).withUnsafeBytes { DeliveryPlace($0) }
        #expect(place?.streamSequence == sequence)
        #expect(place?.delivery == delivery)
    }

    @Test(
        arguments: [
            (400, 10097, .tooLarge), (400, 10060, .malformed), (400, 10077, .full),
            (400, 10002, .full), (503, 10023, .full), (500, 10001, .other),
        ] as [(Int, Int, TransportError.Code)]
    )
    func b3_aFaultOfTheServerIsForGoodOrNot(code: Int, exact: Int, wanted: TransportError.Code) {
        let fault = ServerFault(code: code, errCode: exact, description: nil)
        #expect(fault.transportError.code == wanted)
    }

    @Test func b14_aQueueDropsAndCountsWhatExceedsItsBounds() async throws {
        let queue = CallbackQueue<Int>(limit: 3, sizeLimit: 10) { $0 }
        for size in [4, 7, 6, 1] { queue.append(size) }
        #expect(queue.dropped == 2)
        #expect(try await queue.take(atMost: 10) == [4, 6])
        for size in [99, 1] { queue.append(size) }
        #expect(try await queue.take(atMost: 10) == [99])
        for _ in 0..<5 { queue.append(1) }
        #expect(try await queue.take(atMost: 10) == [1, 1, 1])
        #expect(queue.dropped == 5)
    }

    @Test func aQueueThatIsClosedReturnsTheRest() {
        let queue = CallbackQueue<Int>()
        for number in 0..<9 { queue.append(number) }
        #expect(queue.takeNow(atMost: 2) == [0, 1])
        #expect(queue.close() == [2, 3, 4, 5, 6, 7, 8])
        queue.append(9)
        #expect(queue.takeNow(atMost: 9) == [])
    }

    @Test func b6_aQueueThatIsClosedWithItsReaderCountsTheRest() async throws {
        let queue = CallbackQueue<Int>(limit: 4)
        for number in 0..<5 { queue.append(number) }
        #expect(try await queue.take(atMost: 1) == [0])
        queue.closeAndDrop()
        queue.closeAndDrop()
        #expect(queue.dropped == 4)
    }

    @Test func b14_aReaderFetchesFewFramesAhead() async throws {
        let server = try await NATSServer()
        let connection = try await server.connect()
        try await connection.publish(frames(0..<2_000))
        _ = try await connection.acknowledgements(count: 2_000)
        let reader = PullReader(
            try #require(connection as? NATSConnection),
            .cursor(SubjectFilter("shop.>")),
            from: .beginning
        )
        try await reader.prepare()
        let first = try await reader.next(atMost: 10)
        // The server has answered all earlier requests.
        _ = try await connection.stream()
        let ahead = reader.close()
        #expect(first.count + ahead.count <= 30)
    }
}

private final class Canary: Sendable {
    private let released: Gate

    init(_ released: Gate) { self.released = released }

    func touch() {}

    deinit { released.open() }
}

/// Opens once and lets all waiting tasks continue.
private final class Gate: Sendable {
    private let queue = CallbackQueue<Void>()

    func open() { queue.append(()) }

    func wait() async { _ = try? await queue.take(atMost: 1) }
}

extension ClientConnection {
    fileprivate func subscribeAndForget(_ canary: Canary) throws {
        _ = try subscribe(to: "a") { [canary] _ in canary.touch() }
    }
}

extension ClientEvents {
    fileprivate static let none = ClientEvents(ended: {}, failed: { _ in })
}

extension ClientSettings {
    fileprivate static func test(_ server: NATSServer) -> ClientSettings {
        ClientSettings(
            host: "127.0.0.1",
            port: server.port,
            name: "test",
            connectTimeout: .seconds(10),
            writeDeadline: .seconds(10),
            pingInterval: .seconds(10),
            unansweredPings: 2
        )
    }
}
#endif
