// SPDX-License-Identifier: Apache-2.0
import Testing
import Tidings
import TidingsLock
import TidingsTesting

@testable import TidingsBridge
@testable import TidingsBridgeTesting

/// A process with a mirrored state.
private final class Shop: Sendable {
    let catalogue: StatePublisher<[String: Int]>
    let bridge: Bridge
    let folder: TemporaryFolder

    init(
        _ server: InMemoryServer,
        _ data: [String: Int]? = nil,
        _ direction: Crossing.Direction = .both,
        folder: TemporaryFolder = TemporaryFolder(),
        space: String = "shop",
        publisher: StatePublisher<[String: Int]>? = nil,
        options: BridgeOptions = .quick
    ) {
        let catalogue = publisher ?? StatePublisher(data)
        self.catalogue = catalogue
        self.folder = folder
        bridge = Bridge(
            center: MessageCenter(),
            space: space,
            transport: server.transport(),
            storage: folder.path,
            options: options
        ) { Crossing(state: catalogue, key: "catalogue", direction) }
    }

    func started() async throws -> Shop {
        try await bridge.start()
        return self
    }

    func has(_ data: [String: Int]) async throws {
        for await state in catalogue.states.values where state.value == data { return }
        throw CancellationError()
    }

    func status(where isWanted: @escaping @Sendable (BridgeStatus) -> Bool) async throws {
        for await state in bridge.status.states.values {
            if let status = state.value, isWanted(status) { return }
        }
        throw CancellationError()
    }

    var mirror: SubscriptionStatus? {
        bridge.status.lastData?.subscriptions["tidings-state.catalogue"]
    }
}

@Suite(.timeLimit(.minutes(15)))
struct MirroredStateTests {
    private let server = InMemoryServer()

    /// Waits until a process has read back all sent values, up to a place of the stream.
    private func settled(_ shop: Shop, at sequence: UInt64) async throws {
        try await shop.status {
            $0.outboxCount == 0
                && ($0.subscriptions["tidings-state.catalogue"]?.position ?? 0) >= sequence
        }
    }

    @Test func b10_aLateProcessReceivesTheNewestValueAndThenEachChange() async throws {
        let first = try await Shop(server, ["tea": 1]).started()
        try await settled(first, at: 1)
        for price in 2...5 { first.catalogue.updateData(["tea": price]) }
        try await first.status { $0.outboxCount == 0 }
        let late = try await Shop(server).started()
        try await late.has(["tea": 5])
        first.catalogue.updateData(["tea": 6])
        try await late.has(["tea": 6])
        late.catalogue.update { $0["rice"] = 7 }
        try await first.has(["tea": 6, "rice": 7])
    }

    @Test func b10_noChangeIsMissedWhileAProcessJoins() async throws {
        let writer = try await Shop(server, [:]).started()
        for round in 1...20 {
            writer.catalogue.updateData(["round": round])
            let late = try await Shop(server).started()
            writer.catalogue.updateData(["round": round, "end": 1])
            try await late.has(["round": round, "end": 1])
        }
    }

    @Test func aValueThatIsTakenOverIsNotSentBack() async throws {
        let shops = [
            try await Shop(server, ["tea": 1]).started(), try await Shop(server).started(),
        ]
        try await shops[1].has(["tea": 1])
        for price in 2...20 {
            shops[price % 2].catalogue.updateData(["tea": price])
            try await shops[(price + 1) % 2].has(["tea": price])
        }
        for shop in shops { try await shop.bridge.close(within: .seconds(60)) }
        #expect(server.frames(of: "shop").count == 20)
    }

    @Test func ofTwoChangesTheOneThatTheServerStoredLastWinsEverywhere() async throws {
        let first = try await Shop(server, ["tea": 0]).started()
        let second = try await Shop(server).started()
        try await second.has(["tea": 0])
        for round in 1...30 {
            async let one: Void = first.catalogue.updateData(["tea": round, "by": 1])
            async let two: Void = second.catalogue.updateData(["tea": round, "by": 2])
            _ = await (one, two)
        }
        for shop in [first, second] { try await shop.status { $0.outboxCount == 0 } }
        for shop in [first, second] {
            let last = try #require(server.frames(of: "shop").last?.sequence)
            try await shop.status {
                ($0.subscriptions["tidings-state.catalogue"]?.position ?? 0) >= last
            }
        }
        for shop in [first, second] { try await shop.bridge.close(within: .seconds(60)) }
        let body = try #require(server.frames(of: "shop").last?.frame.body)
        let winner = String(decoding: body, as: UTF8.self).contains("\"by\":1") ? 1 : 2
        #expect(first.catalogue.lastData == second.catalogue.lastData)
        #expect(first.catalogue.lastData == ["tea": 30, "by": winner])
    }

    @Test func b7_aValueThatIsRefusedForAWhileIsNotStoredAfterALaterOne() async throws {
        let shop = try await Shop(server, ["tea": 1]).started()
        try await settled(shop, at: 1)
        server.isDown = true
        for price in 2...3 {
            shop.catalogue.updateData(["tea": price])
            try await shop.status { $0.outboxCount == price - 1 }
        }
        let isRefused = Lock(false)
        server.refuse { _ in
            let isFirst = isRefused.withLock { isRefused in
                defer { isRefused = true }
                return !isRefused
            }
            return isFirst ? TransportError(.full, "There is no room.") : nil
        }
        server.isDown = false
        try await shop.status { $0.outboxCount == 0 }
        let last = try #require(server.frames(of: "shop").last)
        #expect(String(decoding: last.frame.body, as: UTF8.self) == #"{"tea":3}"#)
    }

    @Test func aChangeThatIsStoredWhileAValueIsReadIsNotReplacedByIt() async throws {
        let first = try await Shop(server, ["tea": 1]).started()
        try await settled(first, at: 1)
        let changeOnce = Lock<(@Sendable () -> Void)?>(nil)
        var options = BridgeOptions.quick
        options.codec = BridgeCodec(
            encode: { try BridgeCodec.json.encode($0) },
            decode: { type, body in
                changeOnce.withLock { $0.take() }?()
                return try BridgeCodec.json.decode(type, body)
            }
        )
        let second = Shop(server, options: options)
        changeOnce.withLock {
            $0 = { [catalogue = second.catalogue, bridge = second.bridge] in
                catalogue.updateData(["tea": 2])
                bridge.engine?.mirrors.first?.flush()
            }
        }
        try await second.bridge.start()
        try await first.has(["tea": 2])
        try await settled(second, at: 2)
        #expect(second.catalogue.lastData == ["tea": 2])
    }

    @Test func aChangeWhileTheServerIsAwayArrivesLaterAndSurvivesTheProcess() async throws {
        let reader = try await Shop(server).started()
        let writer = try await Shop(server, ["tea": 1]).started()
        try await reader.has(["tea": 1])
        server.isDown = true
        writer.catalogue.updateData(["tea": 2])
        try await writer.status { $0.outboxCount == 1 }
        try await writer.bridge.close(within: .zero)
        server.isDown = false
        let restarted = try await Shop(server, folder: writer.folder).started()
        try await reader.has(["tea": 2])
        try await restarted.has(["tea": 2])
    }

    @Test func b17_closeStoresTheLastChange() async throws {
        server.isDown = true
        for round in 1...20 {
            let shop = try await Shop(server, ["tea": 0], .outgoing).started()
            try await shop.status { $0.outboxCount == 1 }
            shop.catalogue.updateData(["tea": round])
            #expect(try await shop.bridge.close(within: .zero) == 2)
        }
    }

    @Test func b17_closeSendsTheLastChange() async throws {
        for round in 1...20 {
            let shop = try await Shop(server, ["tea": 0]).started()
            try await shop.status { $0.isConnected && $0.outboxCount == 0 }
            shop.catalogue.updateData(["tea": round])
            #expect(try await shop.bridge.close(within: .seconds(60)) == 0)
            let body = Array(#"{"tea":\#(round)}"#.utf8)
            #expect(server.frames(of: "shop").last?.frame.body == body)
        }
    }

    /// Returns a frame of the catalogue, from a program without headers unless stated.
    private func frame(_ headers: FrameHeaders = [:], tea price: Int) -> BridgeFrame {
        let body = Array(#"{"tea":\#(price)}"#.utf8)
        return BridgeFrame(
            subject: "shop.tidings-state.catalogue._",
            headers: headers,
            body: body
        )
    }

    private func store(_ frames: BridgeFrame...) {
        server.state.withLock { state in
            for frame in frames { _ = state.store(frame, in: "shop") }
        }
    }

    /// Returns the headers of the change after the newest one of the stream.
    private func nextHeaders() throws -> FrameHeaders {
        var headers = try #require(server.frames(of: "shop").last).frame.headers
        let parts = try #require(headers.id).split(separator: "-")
        let row = try #require(parts.last.flatMap { Int($0) })
        headers[.id] = "\(parts[0])-\(row + 1)"
        headers[.after] = nil
        return headers
    }

    @Test func b10_aLaterValueCountsAlthoughTheOwnOneIsNotReadBack() async throws {
        let shop = try await Shop(server, ["tea": 1]).started()
        try await settled(shop, at: 1)
        let headers = try nextHeaders()
        server.isDown = true
        shop.catalogue.updateData(["tea": 2])
        try await shop.status { $0.outboxCount == 1 }
        // The server has stored the change, but the acknowledgement is lost with the connection.
        store(frame(headers, tea: 2), frame(tea: 3))
        server.isDown = false
        try await shop.has(["tea": 3])
        try await shop.bridge.close(within: .seconds(60))
        #expect(server.frames(of: "shop").count == 3)
    }

    @Test func aChangeThatWaitsInTheOutboxIsNewerThanTheDataOfTheNextStart() async throws {
        let folder = TemporaryFolder()
        server.isDown = true
        let writer = try await Shop(server, ["tea": 1], folder: folder).started()
        writer.catalogue.updateData(["tea": 2])
        try await writer.status { $0.outboxCount == 1 }
        try await writer.bridge.close(within: .zero)
        // The process starts before the server has the change.
        server.ignoresFrames = true
        server.isDown = false
        let restarted = try await Shop(server, ["tea": 1], folder: folder).started()
        try await restarted.status { $0.isConnected && $0.outboxCount >= 1 }
        server.ignoresFrames = false
        server.endConnections()
        try await settled(restarted, at: 1)
        try #require(server.frames(of: "shop").count == 1)
        try await restarted.has(["tea": 2])
        try await restarted.bridge.close(within: .seconds(60))
        #expect(server.frames(of: "shop").count == 1)
    }

    @Test func b15_aFrameThatClaimsALaterRowDoesNotHideTheOwnChange() async throws {
        let shop = try await Shop(server, ["tea": 1]).started()
        try await settled(shop, at: 1)
        var headers = try nextHeaders()
        let origin = try #require(headers[.origin])
        headers[.id] = "\(origin)-\(Int.max)"
        store(frame(headers, tea: 7))
        server.endConnections()
        try await settled(shop, at: 2)
        try await shop.has(["tea": 7])
        server.isDown = true
        server.ignoresFrames = true
        shop.catalogue.updateData(["tea": 8])
        try await shop.status { $0.outboxCount == 1 }
        server.state.withLock { state in
            state.ignoresFrames = false
            _ = state.store(frame(tea: 9), in: "shop")
            state.ignoresFrames = true
        }
        server.isDown = false
        // The process reads the value of another process while its own change is on the way.
        try await shop.status {
            ($0.subscriptions["tidings-state.catalogue"]?.position ?? 0) >= 3
        }
        server.ignoresFrames = false
        server.endConnections()
        try await settled(shop, at: 4)
        try await shop.bridge.close(within: .seconds(60))
        #expect(shop.catalogue.lastData == ["tea": 8])
        #expect(server.frames(of: "shop").last?.frame.body == Array(#"{"tea":8}"#.utf8))
    }

    @Test func b11_aStreamThatWasRemadeReceivesTheNewestValueAgain() async throws {
        let shop = try await Shop(server, ["tea": 1]).started()
        try await settled(shop, at: 1)
        server.remakeStream(of: "shop")
        let late = try await Shop(server).started()
        try await late.has(["tea": 1])
        shop.catalogue.updateData(["tea": 2])
        try await late.has(["tea": 2])
    }

    @Test func b11_aStreamThatWentBackReceivesTheNewestValueAgain() async throws {
        let shop = try await Shop(server, ["tea": 1]).started()
        try await settled(shop, at: 1)
        shop.catalogue.updateData(["tea": 2])
        try await settled(shop, at: 2)
        server.isDown = true
        server.goBack(to: 1, in: "shop")
        server.isDown = false
        let late = try await Shop(server).started()
        try await late.has(["tea": 2])
        #expect(shop.catalogue.lastData == ["tea": 2])
    }

    @Test func theDirectionsSayWhoseDataCounts() async throws {
        let writer = try await Shop(server, ["tea": 1], .outgoing).started()
        try await writer.status { [server] _ in server.frames(of: "shop").count == 1 }
        let reader = try await Shop(server, ["tea": 9], .incoming).started()
        try await reader.has(["tea": 1])
        reader.catalogue.updateData(["tea": 10])
        writer.catalogue.updateData(["tea": 2])
        try await reader.has(["tea": 2])
        #expect(writer.catalogue.lastData == ["tea": 2])
        #expect(server.frames(of: "shop").count == 2)
    }

    @Test func b9_aRingOfThreeSpacesEndsEachChange() async throws {
        let publishers = (1...3).map { _ in StatePublisher<[String: Int]>() }
        let spaces = [["a", "b"], ["b", "c"], ["c", "a"]]
        var shops: [Shop] = []
        for (publisher, names) in zip(publishers, spaces) {
            for name in names {
                shops.append(try await Shop(server, space: name, publisher: publisher).started())
            }
        }
        publishers[0].updateData(["tea": 1])
        for shop in shops { try await shop.has(["tea": 1]) }
        for shop in shops { try await shop.bridge.close(within: .seconds(60)) }
        let count = ["a", "b", "c"].reduce(0) { $0 + server.frames(of: $1).count }
        #expect((3...6).contains(count))
    }

    @Test func b15_aBodyThatCannotBeDecodedLeavesTheStateAlone() async throws {
        let shop = try await Shop(server, ["tea": 1]).started()
        try await settled(shop, at: 1)
        let connection = try await server.transport().connect(to: "shop", epoch: 1)
        let subject = "shop.tidings-state.catalogue._"
        for (row, body) in [[0xff], Array(#"{"tea":3}"#.utf8)].enumerated() {
            let revision = "\(Int.max - row)"
            let headers: FrameHeaders = ["Tidings-Revision": revision]
            let frame = BridgeFrame(subject: subject, headers: headers, body: body)
            try await connection.publish([PublishedFrame(row: row, frame: frame)])
        }
        try await shop.has(["tea": 3])
        try await shop.status { $0.subscriptions["tidings-state.catalogue"]?.failures == 1 }
        shop.catalogue.updateData(["tea": 4])
        try await settled(shop, at: 4)
    }

    @Test func b3_aValueThatIsRefusedDoesNotKeepTheLaterOnesOut() async throws {
        let first = try await Shop(server, ["tea": 1]).started()
        let second = try await Shop(server).started()
        try await second.has(["tea": 1])
        server.refuse { frame in
            String(decoding: frame.body, as: UTF8.self).contains("bad")
                ? TransportError(.tooLarge, "No.") : nil
        }
        first.catalogue.updateData(["bad": 1])
        try await first.status { $0.deadLetterCount == 1 }
        try await first.status { $0.subscriptions["tidings-state.catalogue"]?.failures == 1 }
        second.catalogue.updateData(["tea": 2])
        try await first.has(["tea": 2])
    }

    @Test func aResetCrossesNot() async throws {
        let (first, second) = (Shop(server, ["tea": 1]), Shop(server))
        _ = (try await first.started(), try await second.started())
        try await second.has(["tea": 1])
        first.catalogue.reset()
        second.catalogue.updateData(["tea": 2])
        try await first.has(["tea": 2])
    }
}
