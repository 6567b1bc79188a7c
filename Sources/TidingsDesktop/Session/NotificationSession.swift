// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
internal import Foundation
internal import TidingsUserNotifications

/// A connection to the program that shows notifications: the daemon, or the portal in a sandbox.
protocol NotificationSession: Sendable {
    /// The features that can be shown now; never waits.
    var currentFeatures: UserNotificationFeatures { get }

    /// Sets the sender of the notifications.
    ///
    /// Returns at once; later calls take effect after it.
    func introduce(_ program: NotifyArguments.Program)

    /// Sets the closure that gets all events.
    ///
    /// Returns at once; later calls take effect after it.
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
    /// Does nothing: no timer of a sandboxed program reaches the system.
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
