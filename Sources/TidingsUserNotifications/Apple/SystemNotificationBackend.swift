// SPDX-License-Identifier: Apache-2.0
#if canImport(UserNotifications)
import Foundation
import UserNotifications

/// A backend that shows notifications through the system's notification center on Apple systems.
///
/// It was written from the system's documentation and **has not been run**: this package is built
/// and tested on Linux. ``UserNotificationCenter`` keeps the schedule, the list and the receipts;
/// the system only shows. Pass ``requestAuthorization(_:)`` as the center's question.
///
/// A process without a bundle, such as a command-line tool or a test, cannot use the system's
/// notification center: the system would terminate it. The initializer throws instead.
///
/// ```swift
/// let backend = try SystemNotificationBackend()
/// let notifications = UserNotificationCenter(
///     application: application,
///     backend: backend,
///     messages: center,
///     question: backend.requestAuthorization
/// )
/// ```
public final class SystemNotificationBackend: NotificationBackend {
    private let state = SystemNotificationState()
    /// Retained here, because the system does not retain its delegate.
    private let delegate: SystemNotificationDelegate

    /// Creates a backend and sets the delegate of the system's notification center.
    ///
    /// - Throws: ``UserNotificationError`` with `.noBundle` in a process without a bundle.
    public init() throws(UserNotificationError) {
        guard Bundle.main.bundleIdentifier != nil else {
            throw UserNotificationError(
                .noBundle,
                "The process has no bundle, so the system shows none of its notifications. Use "
                    + "another backend in command-line tools and tests."
            )
        }
        delegate = SystemNotificationDelegate(state)
        UNUserNotificationCenter.current().delegate = delegate
    }

    /// All features of the system.
    ///
    /// A picture in memory is left out and named as degraded all the same.
    public var features: NotificationFeatures {
        NotificationFeatures.all.subtracting([
            .kind, .closeReasons, .activationToken, .progress, .timeOnScreen,
        ])
    }

    /// Returns whether the person allows notifications in the system's settings.
    public func availability() async -> NotificationAvailability {
        let center = UNUserNotificationCenter.current()
        return switch await center.notificationSettings().authorizationStatus {
        case .denied: .unavailable("Notifications are turned off in the system's settings.")
        default: .available
        }
    }

    /// Shows the system's authorization prompt and returns the answer; nil if there was none.
    ///
    /// - Parameter options: The permissions to ask for.
    /// - Returns: The answer, for use as a center's question.
    @Sendable
    public func requestAuthorization(
        _ options: AuthorizationOptions
    ) async -> AuthorizationAnswer? {
        var wanted: UNAuthorizationOptions = []
        if options.contains(.alert) { wanted.insert(.alert) }
        if options.contains(.sound) { wanted.insert(.sound) }
        if options.contains(.badge) { wanted.insert(.badge) }
        let center = UNUserNotificationCenter.current()
        guard let isGranted = try? await center.requestAuthorization(options: wanted) else {
            return nil
        }
        return isGranted ? .granted : .denied
    }

    /// Sets the closure to call with each event.
    public func start(_ events: @escaping @Sendable (NotificationBackendEvent) -> Void) {
        state.setEvents(events)
    }

    /// Shows a notification in place of an earlier one with the same identifier.
    public func show(_ notification: UserNotification) async -> NotificationBackendResult {
        let (content, degraded) = notification.systemContent()
        let categories = state.show(notification)
        let center = UNUserNotificationCenter.current()
        center.setNotificationCategories(Set(categories.map(\.systemCategory)))
        let request = UNNotificationRequest(
            identifier: notification.identifier,
            content: content,
            trigger: nil
        )
        do {
            try await center.add(request)
        } catch {
            return .refused(error.localizedDescription)
        }
        return .accepted(
            degraded: notification.neededFeatures.subtracting(features).union(degraded),
            handle: NotificationHandle(notification.identifier)
        )
    }

    /// Takes over the notifications that the system still lists.
    public func restore(
        _ shown: [ShownNotification]
    ) async -> [NotificationDelivery: NotificationHandle] {
        let center = UNUserNotificationCenter.current()
        let listed = Set(await center.deliveredNotifications().map(\.request.identifier))
        let found = shown.filter { listed.contains($0.notification.identifier) }
        for entry in found { _ = state.show(entry.notification) }
        return Dictionary(found.map { ($0.notification.id, $0.handle) }) { _, last in last }
    }

    /// Removes the visible notification with an identifier, if there is one.
    public func close(_ identifier: String) async {
        state.close(identifier)
        UNUserNotificationCenter.current().removeDeliveredNotifications(withIdentifiers: [
            identifier
        ])
    }

    /// Sets the program's badge; 0 clears it.
    public func setBadge(_ count: Int) async {
        try? await UNUserNotificationCenter.current().setBadgeCount(count)
    }
}
#endif
