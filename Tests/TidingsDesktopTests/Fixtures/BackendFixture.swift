// SPDX-License-Identifier: Apache-2.0
import TidingsUserNotifications

@testable import TidingsDesktop

/// A backend on a private bus, with a recorder for the backend's events.
struct BackendFixture: Sendable {
    let desktop: Desktop
    let backend: DesktopNotificationBackend
    let events = EventRecorder()

    /// Runs `body` with a scripted daemon on a private bus.
    ///
    /// With nil settings no daemon is started.
    static func with<Value: Sendable>(
        _ settings: JSON? = [:],
        bus: [String: String] = [:],
        limit: Duration = .seconds(120),
        quietLimit: Duration = .seconds(120),
        startPause: Duration = .seconds(600),
        environment: @escaping @Sendable (String) -> String? = { _ in nil },
        _ body: @Sendable (BackendFixture) async throws -> Value
    ) async throws -> Value {
        try await Desktop.with(bus: bus) { desktop in
            if let settings { try await desktop.call("fake", ["settings": settings]) }
            return try await body(
                await BackendFixture(
                    desktop,
                    limit: limit,
                    quietLimit: quietLimit,
                    startPause: startPause,
                    environment: environment
                )
            )
        }
    }

    init(
        _ desktop: Desktop,
        limit: Duration = .seconds(120),
        quietLimit: Duration = .seconds(120),
        startPause: Duration = .seconds(600),
        isSandboxed: Bool = false,
        environment: @escaping @Sendable (String) -> String? = { _ in nil },
        onActivate: (@Sendable (String?) -> Void)? = nil
    ) async {
        let address = await desktop.address
        self.init(
            desktop,
            address: address,
            limit: limit,
            quietLimit: quietLimit,
            startPause: startPause,
            isSandboxed: isSandboxed,
            environment: environment,
            onActivate: onActivate
        )
    }

    init(
        _ desktop: Desktop,
        address: String?,
        limit: Duration = .seconds(120),
        quietLimit: Duration = .seconds(120),
        startPause: Duration = .seconds(600),
        isSandboxed: Bool = false,
        environment: @escaping @Sendable (String) -> String? = { _ in nil },
        onActivate: (@Sendable (String?) -> Void)? = nil
    ) {
        self.desktop = desktop
        backend = DesktopNotificationBackend(
            settings: .init(
                address: { address },
                limit: limit,
                quietLimit: quietLimit,
                startPause: startPause,
                firstRetry: .milliseconds(10),
                environment: environment,
                onActivate: onActivate
            ),
            isSandboxed: isSandboxed
        )
        backend.introduce(.init(id: "org.example.Films", name: "Films"))
        backend.start { [events] in events.record($0) }
    }

    /// Disconnects from the bus, as at the end of a program.
    func leave() async {
        await (backend.session as? DesktopSession)?.end()
    }

    @discardableResult
    func show(_ notification: UserNotification) async -> NotificationBackendResult {
        await backend.show(notification)
    }

    /// Sends a command to the scripted daemon and returns the answer.
    @discardableResult
    func command(_ command: JSON) async throws -> JSON {
        try await desktop.call("tell", ["command": command])
    }

    /// Returns the calls of a method that the daemon received, as soon as there are `count` calls.
    func calls(_ method: String, count: Int) async throws -> [JSON] {
        try await command([
            "do": "await", "method": .string(method), "count": JSON(integerLiteral: count),
        ])["calls"].elements
    }

    func emit(
        _ signal: String,
        _ arguments: JSON,
        to: JSON = .null,
        stranger: Bool = false
    ) async throws {
        try await command([
            "do": "emit", "signal": .string(signal), "arguments": arguments, "to": to,
            "stranger": .bool(stranger),
        ])
    }
}

extension NotificationBackendResult {
    var isAccepted: Bool { if case .accepted = self { true } else { false } }
    var isRefused: Bool { if case .refused = self { true } else { false } }
    var isUnavailable: Bool { if case .unavailable = self { true } else { false } }
    var degraded: UserNotificationFeatures? {
        if case .accepted(let degraded, _) = self { degraded } else { nil }
    }
    var handle: NotificationHandle? {
        if case .accepted(_, let handle) = self { handle } else { nil }
    }
}

extension NotificationAvailability {
    var isAvailable: Bool { self == .available }
}
