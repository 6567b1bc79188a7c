// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
internal import Foundation
internal import TidingsUserNotifications

/// A connection to the daemon that shows notifications, or to the portal in a sandbox.
protocol NotificationSession: Sendable {
    /// The features that can be shown now, returned without waiting.
    var currentFeatures: UserNotificationFeatures { get }

    /// Sets the sender of the notifications.
    ///
    /// The method returns immediately, and later calls take effect afterwards.
    func introduce(_ program: NotifyArguments.Program)

    /// Sets the closure that gets all events.
    ///
    /// The method returns immediately, and later calls take effect afterwards.
    func begin(_ events: @escaping @Sendable (NotificationBackendEvent) -> Void)

    func availability() async -> NotificationAvailability
    func show(_ notification: UserNotification) async -> NotificationBackendResult
    func restore(_ shown: [ShownNotification]) async -> [NotificationDelivery: NotificationHandle]
    func close(_ identifier: String) async
    func setBadge(_ count: Int) async
    func setProgramStart(_ date: Date?) async
    func doNotDisturb() async -> Bool?
    func openSettings() async -> String?
}

extension NotificationSession {
    /// Has no effect, because no timer of a sandboxed program reaches the system.
    func setProgramStart(_ date: Date?) async {}

    func doNotDisturb() async -> Bool? { nil }

    func openSettings() async -> String? {
        "A program in a sandbox cannot open the desktop's settings. Tell the person to open them."
    }
}

extension DesktopSession: NotificationSession {
    nonisolated var currentFeatures: UserNotificationFeatures { features.value }

    nonisolated func introduce(_ program: NotifyArguments.Program) {
        enqueue { $0.setProgram(program) }
    }

    nonisolated func begin(_ events: @escaping @Sendable (NotificationBackendEvent) -> Void) {
        enqueue { $0.start(events) }
    }
}
#endif
