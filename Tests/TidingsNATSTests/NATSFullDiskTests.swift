// SPDX-License-Identifier: Apache-2.0
#if NATS && os(Linux)
import Foundation
import Testing
import Tidings
import TidingsBridge
import TidingsCoreFixtures
import TidingsNATS
import TidingsTesting

/// A server whose disk fills up.
@Suite(.timeLimit(.minutes(15)), .serialized)
struct NATSFullDiskTests {
    @Test(.enabled(if: SmallDisk.isPossible, "Only root can mount a disk."))
    func b13_aServerOnAFullDiskIsShownAndContinuesWithoutALoss() async throws {
        let disk = try SmallDisk(kibibytes: 65_536)
        let server = try await NATSServer(store: URL(fileURLWithPath: disk.path))
        let (desk, kitchen) = (Office(server), Office(server))
        try await desk.bridge.start()
        try await kitchen.bridge.start()
        for number in 1...50 { desk.post(number) }
        _ = try await kitchen.recorder.element(at: 49)
        try disk.fill(leaving: 8)
        for number in 51...150 { desk.post(number) }
        let stalled = try await desk.bridge.status { $0.isStalled && !$0.isConnected }
        #expect(stalled.fault != nil && stalled.outboxCount > 0)
        desk.post(151)
        #expect(try await desk.bridge.status { $0.epoch > stalled.epoch }.isStalled)
        #expect(kitchen.recorder.messages.count < 150)
        // The server uses a full disk again only after the next start.
        try disk.empty()
        await server.kill()
        try await server.start()
        _ = try await kitchen.recorder.element(at: 150)
        #expect(kitchen.recorder.messages.map(\.number) == Array(1...151))
        let status = try await desk.bridge.status { $0.isConnected && $0.outboxCount == 0 }
        #expect(!status.isStalled)
        #expect(try await kitchen.bridge.close(within: .seconds(60)) == 0)
        #expect(kitchen.recorder.messages.count == 151)
    }
}

private struct PaddedOrder: BridgedMessage {
    static let wireName: WireName = "orders.placed"
    let number: Int
    var padding = String(repeating: "x", count: 10_000)
    var orderingKey: String? { "eu" }
}

/// A center with a bridge and a folder.
private final class Office: Sendable {
    let bridge: Bridge
    let recorder: MessageRecorder<PaddedOrder>
    private let center = MessageCenter()
    private let folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("tidings-bridge-\(UUID().uuidString)")

    init(_ server: NATSServer) {
        recorder = MessageRecorder(on: center)
        var options = BridgeOptions()
        options.acknowledgementDeadline = .seconds(1)
        bridge = Bridge(
            center: center,
            space: "shop",
            transport: NATSTransport(server.address),
            storage: folder.path,
            options: options
        ) { Crossing(PaddedOrder.self, .durable, .both(from: .beginning)) }
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func post(_ number: Int) { center.post(PaddedOrder(number: number)) }
}
#endif
