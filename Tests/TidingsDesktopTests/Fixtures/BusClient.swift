// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsTesting

@testable import TidingsDesktop

/// A bus connection with awaitable calls for tests.
actor BusClient: BusActor {
    let executor = BusExecutor(label: "test.bus")
    private var connection: BusConnection?
    private(set) var signals: [BusMessage] = []
    private(set) var losses: [String] = []
    nonisolated let isLost = Gate()

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    func connect(_ address: String) throws {
        let connection = try BusConnection(
            address: address,
            queue: executor.queue,
            wake: callback { $0.connection?.process() }
        )
        connection.onLoss = { reason in
            self.losses.append(reason)
            self.isLost.open()
        }
        self.connection = connection
    }

    func call(_ call: BusCall, limit: Duration = .seconds(60)) async throws(BusError) -> BusMessage
    {
        let result = await withCheckedContinuation {
            (continuation: CheckedContinuation<Result<BusMessage, BusError>, Never>) in
            guard let connection else {
                return continuation.resume(returning: .failure(.disconnected("none")))
            }
            connection.call(call, limit: limit) { continuation.resume(returning: $0) }
        }
        return try result.get()
    }

    /// Sends a value to the scripted daemon and returns the daemon's copy.
    func echo(_ value: BusValue) async throws -> BusValue? {
        try await call(.daemon("Echo", [.variant(value)])).body.first
    }

    func match(
        _ rule: String,
        filter: @escaping @Sendable (BusMessage) -> Bool = { _ in true }
    ) async throws(BusError) {
        let result = await withCheckedContinuation {
            (continuation: CheckedContinuation<Result<BusMessage, BusError>, Never>) in
            connection?.match(rule, filter: filter) {
                continuation.resume(returning: $0)
            } handler: {
                self.signals.append($0)
            }
        }
        _ = try result.get()
    }

    func emit(_ signal: BusSignal) throws {
        try connection?.emit(signal)
    }

    var serverID: String? { connection?.serverID }

    func close() {
        connection?.close()
    }

    func release() {
        connection = nil
    }
}

extension BusCall {
    static func bus(_ member: String, _ body: [BusValue] = []) -> BusCall {
        BusCall(
            destination: "org.freedesktop.DBus",
            path: "/org/freedesktop/DBus",
            interface: "org.freedesktop.DBus",
            member: member,
            body: body
        )
    }

    static func daemon(_ member: String, _ body: [BusValue] = []) -> BusCall {
        BusCall(
            destination: "org.freedesktop.Notifications",
            path: "/org/freedesktop/Notifications",
            interface: "org.freedesktop.Notifications",
            member: member,
            body: body
        )
    }
}
