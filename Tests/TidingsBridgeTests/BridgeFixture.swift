// SPDX-License-Identifier: Apache-2.0
import Tidings
import TidingsBridge
import TidingsBridgeTesting
import TidingsTesting

/// A durable message.
struct Placed: BridgedMessage, Equatable {
    static let wireName: WireName = "orders.placed"
    let number: Int
    var region: String?
    var orderingKey: String? { region }
}

/// A transient message.
struct Cleared: BridgedMessage, Equatable {
    static let wireName: WireName = "cache.cleared"
    let number: Int
}

/// One process of a test: a center with a bridge.
final class Peer: Sendable {
    let center = MessageCenter()
    let folder: TemporaryFolder
    let bridge: Bridge
    let received = Received()
    private let token: ObservationToken

    init(
        _ server: InMemoryServer,
        folder: TemporaryFolder = TemporaryFolder(),
        options: BridgeOptions = .quick,
        clock: any Clock<Duration> = ContinuousClock(),
        from start: StreamStart = .beginning,
        kind: Crossing.Kind = .durable,
        direction: Crossing.Direction? = nil
    ) {
        self.folder = folder
        bridge = Self.bridge(
            center,
            server,
            folder,
            options,
            clock,
            kind,
            direction ?? .both(from: start)
        )
        let received = received
        token = center.messages(of: Placed.self).observe { received.add($0.number) }
    }

    private static func bridge(
        _ center: MessageCenter,
        _ server: InMemoryServer,
        _ folder: TemporaryFolder,
        _ options: BridgeOptions,
        _ clock: some Clock<Duration>,
        _ kind: Crossing.Kind,
        _ direction: Crossing.Direction
    ) -> Bridge {
        Bridge(
            center: center,
            space: "shop",
            transport: server.transport(),
            storage: folder.path,
            options: options,
            clock: clock
        ) {
            Crossing(Placed.self, kind, direction)
            Crossing(Cleared.self, .transient)
        }
    }

    /// Starts a bridge.
    func started() async throws -> Peer {
        try await bridge.start()
        return self
    }

    /// Waits for a status that fulfills a condition.
    @discardableResult
    func status(
        where isWanted: @escaping @Sendable (BridgeStatus) -> Bool
    ) async throws -> BridgeStatus {
        for await state in bridge.status.states.values {
            if let status = state.value, isWanted(status) { return status }
        }
        throw CancellationError()
    }

    var placed: SubscriptionStatus? { bridge.status.lastData?.subscriptions["orders.placed"] }
}

extension InMemoryServer {
    /// Returns a bridge for a center that may have several bridges.
    func bridge(
        on center: MessageCenter,
        space: String = "shop",
        storage: String,
        options: BridgeOptions = .quick,
        @CrossingBuilder crossings: () -> [Crossing]
    ) -> Bridge {
        Bridge(
            center: center,
            space: space,
            transport: transport(),
            storage: storage,
            options: options,
            crossings: crossings
        )
    }

    /// Returns a bridge that only receives, from the beginning of the stream.
    func reader(
        on center: MessageCenter,
        storage: String,
        _ kind: Crossing.Kind,
        options: BridgeOptions = .quick
    ) -> Bridge {
        bridge(on: center, storage: storage, options: options) {
            Crossing(Placed.self, kind, .incoming(from: .beginning))
        }
    }
}

extension BridgeOptions {
    /// Options with short pauses.
    static var quick: BridgeOptions {
        var options = BridgeOptions()
        options.backoff = Backoff(first: .milliseconds(1), limit: .milliseconds(20))
        options.retry = RetryPlan(
            attempts: 3,
            firstPause: .milliseconds(1),
            longestPause: .milliseconds(5)
        )
        return options
    }
}
