// SPDX-License-Identifier: Apache-2.0
import TidingsUserNotifications

@testable import TidingsDesktop

/// A backend on the private bus of a test, and what it tells.
struct Stage: Sendable {
    let desktop: Desktop
    let backend: DesktopNotificationBackend
    let events = EventLog()

    /// Runs `body` with a scripted daemon on a bus of its own.
    static func with<Value: Sendable>(
        _ settings: JSON? = [:],
        bus: [String: String] = [:],
        limit: Duration = .seconds(120),
        startPause: Duration = .seconds(600),
        _ body: @Sendable (Stage) async throws -> Value
    ) async throws -> Value {
        try await Desktop.with(bus: bus) { desktop in
            if let settings { try await desktop.call("fake", ["settings": settings]) }
            return try await body(await Stage(desktop, limit: limit, startPause: startPause))
        }
    }

    init(
        _ desktop: Desktop,
        limit: Duration = .seconds(120),
        startPause: Duration = .seconds(600),
        isSandboxed: Bool = false
    ) async {
        let address = await desktop.address
        self.init(
            desktop,
            address: address,
            limit: limit,
            startPause: startPause,
            isSandboxed: isSandboxed
        )
    }

    init(
        _ desktop: Desktop,
        address: String?,
        limit: Duration = .seconds(120),
        startPause: Duration = .seconds(600),
        isSandboxed: Bool = false
    ) {
        self.desktop = desktop
        backend = DesktopNotificationBackend(
            settings: .init(
                address: { address },
                limit: limit,
                startPause: startPause,
                firstRetry: .milliseconds(10)
            ),
            isSandboxed: isSandboxed
        )
        backend.introduce(.init(id: "org.example.Films", name: "Films"))
        backend.start { [events] in events.add($0) }
    }

    /// Leaves the bus, as the end of a program does.
    func leave() async {
        await (backend.route as? DesktopSession)?.end()
    }

    @discardableResult
    func show(_ notification: UserNotification) async -> NotificationBackendResult {
        await backend.show(notification)
    }

    /// Hands a command to the scripted daemon.
    @discardableResult
    func tell(_ command: JSON) async throws -> JSON {
        try await desktop.call("tell", ["command": command])
    }

    /// The calls of a method that the daemon has got, once there are so many.
    func calls(_ method: String, count: Int) async throws -> [JSON] {
        try await tell([
            "do": "await", "method": .string(method), "count": JSON(integerLiteral: count),
        ])["calls"].elements
    }

    func emit(
        _ signal: String,
        _ arguments: JSON,
        to: JSON = .null,
        stranger: Bool = false
    ) async throws {
        try await tell([
            "do": "emit", "signal": .string(signal), "arguments": arguments, "to": to,
            "stranger": .bool(stranger),
        ])
    }
}

extension NotificationBackendResult {
    var isAccepted: Bool { if case .accepted = self { true } else { false } }
    var isRefused: Bool { if case .refused = self { true } else { false } }
    var isUnavailable: Bool { if case .unavailable = self { true } else { false } }
    var handle: NotificationHandle? {
        if case .accepted(_, let handle) = self { handle } else { nil }
    }
}

extension NotificationAvailability {
    var isAvailable: Bool { self == .available }
}
