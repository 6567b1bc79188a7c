// SPDX-License-Identifier: Apache-2.0
internal import TidingsUserNotifications

/// One of the ways to a person on a desktop: the daemon itself, or the portal out of a sandbox.
protocol DesktopRoute: Sendable {
    /// What can be shown now, without waiting.
    var currentFeatures: NotificationFeatures { get }
    /// Calls that cannot wait keep their order with those that come after them.
    func introduce(_ program: NotifyArguments.Program)
    func begin(_ events: @escaping @Sendable (NotificationBackendEvent) -> Void)
    func availability() async -> NotificationAvailability
    func show(_ notification: UserNotification) async -> NotificationBackendResult
    func restore(_ shown: [ShownNotification]) async -> [NotificationDelivery: NotificationHandle]
    func close(_ identifier: String) async
    func setBadge(_ count: Int) async
}

extension DesktopSession: DesktopRoute {
    nonisolated var currentFeatures: NotificationFeatures { features.value }

    nonisolated func introduce(_ program: NotifyArguments.Program) {
        soon { $0.use(program) }
    }

    nonisolated func begin(_ events: @escaping @Sendable (NotificationBackendEvent) -> Void) {
        soon { $0.start(events) }
    }
}
