// SPDX-License-Identifier: Apache-2.0
#if NATS
import Foundation
import Testing
import Tidings
import TidingsBridge
import TidingsNATS
import TidingsTesting

/// Bridges of two processes with a real server between them.
@Suite(.timeLimit(.minutes(15)), .serialized)
struct BridgeOverNATSTests {
    @Test func b7_orderHoldsWhileTheServerIsKilledAgainAndAgain() async throws {
        let server = try await NATSServer()
        let (desk, kitchen) = (Desk(server), Desk(server))
        let recorder = MessageRecorder(Ordered.self, on: kitchen.center)
        try await desk.bridge.start()
        try await kitchen.bridge.start()
        for number in 1...600 {
            desk.center.post(Ordered(number: number))
            if number % 200 == 0 {
                _ = try await recorder.element(at: number - 150)
                await server.kill()
                try await server.start()
            }
        }
        _ = try await recorder.element(at: 599)
        #expect(recorder.messages.map(\.number) == Array(1...600))
        #expect(try await desk.bridge.close(within: .seconds(60)) == 0)
        #expect(try await kitchen.bridge.close(within: .seconds(60)) == 0)
    }
}

private struct Ordered: BridgedMessage {
    static let wireName: WireName = "orders.placed"
    let number: Int
    var orderingKey: String? { "eu" }
}

/// A center with a bridge and a folder.
private final class Desk: Sendable {
    let center = MessageCenter()
    let bridge: Bridge
    private let folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("tidings-bridge-\(UUID().uuidString)")

    init(_ server: NATSServer) {
        bridge = Bridge(
            center: center,
            space: "shop",
            transport: NATSTransport(server.address, .patient),
            storage: folder.path
        ) { Crossing(Ordered.self, .durable, .both(from: .beginning)) }
    }

    deinit { try? FileManager.default.removeItem(at: folder) }
}
#endif
