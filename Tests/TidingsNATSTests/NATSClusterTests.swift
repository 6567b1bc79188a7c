// SPDX-License-Identifier: Apache-2.0
#if NATS
import Foundation
import Testing
import Tidings
import TidingsBridge
import TidingsNATS
import TidingsTesting

/// Bridges over a cluster that loses a server.
@Suite(.timeLimit(.minutes(15)), .serialized)
struct NATSClusterTests {
    private static let regions = ["eu", "us", "as"]

    @Test func b4_b7_b12_b16_aKilledLeaderOfAClusterLosesAndSwapsNothing() async throws {
        let cluster = try await NATSCluster()
        let (desk, kitchen) = (Site("desk", cluster), Site("kitchen", cluster))
        for site in [desk, kitchen] {
            try await site.bridge.start()
            let status = try await site.bridge.status { $0.isConnected }
            #expect(status.acknowledgement == .replicated(3))
        }
        post(1...150, from: [desk, kitchen])
        _ = try await kitchen.messages(100)
        let leader = try await cluster.leader(of: "shop")
        // The watch starts before the kill, because the bridge connects again automatically.
        let isWatched = Gate()
        async let outage = desk.bridge.status { status in
            isWatched.open()
            return !status.isConnected && status.fault != nil
        }
        try await isWatched.wait()
        async let killed: Void = leader.kill()
        post(151...300, from: [desk, kitchen])
        await killed
        post(301...450, from: [desk, kitchen])
        #expect(try await outage.outboxCount > 0)
        for site in [desk, kitchen] {
            let messages = try await site.messages(450)
            for (index, region) in Self.regions.enumerated() {
                let posted = (1...450).filter { $0 % 3 == index }
                #expect(messages.filter { $0.region == region }.map(\.number) == posted)
            }
            let status = try await site.bridge.status { $0.isConnected && $0.outboxCount == 0 }
            #expect(status.subscriptions["orders.placed"]?.gaps == [])
        }
        for site in [desk, kitchen] {
            #expect(try await site.bridge.close(within: .seconds(60)) == 0)
            #expect(try await site.messages(450).count == 450)
        }
    }

    private func post(_ numbers: ClosedRange<Int>, from sites: [Site]) {
        for number in numbers {
            for site in sites { site.post(number, Self.regions[number % 3]) }
        }
    }
}

private struct SiteOrder: BridgedMessage {
    static let wireName: WireName = "orders.placed"
    let number: Int
    let region: String
    let site: String
    var orderingKey: String? { region }
}

/// A center with a bridge and a folder.
private final class Site: Sendable {
    let bridge: Bridge
    private let name: String
    private let center = MessageCenter()
    private let recorder: MessageRecorder<SiteOrder>
    private let folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("tidings-bridge-\(UUID().uuidString)")

    init(_ name: String, _ cluster: NATSCluster) {
        self.name = name
        recorder = MessageRecorder(on: center)
        var options = BridgeOptions()
        options.acknowledgementDeadline = .seconds(1)
        bridge = Bridge(
            center: center,
            space: "shop",
            transport: cluster.transport,
            storage: folder.path,
            options: options
        ) { Crossing(SiteOrder.self, .durable, .both(from: .beginning)) }
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func post(_ number: Int, _ region: String) {
        center.post(SiteOrder(number: number, region: region, site: name))
    }

    /// Waits for a number of messages of the second site and returns all of these messages.
    func messages(_ count: Int) async throws -> [SiteOrder] {
        let name = name
        return try await recorder.wait { $0.filter { $0.site != name }.count >= count }
            .filter { $0.site != name }
    }
}
#endif
