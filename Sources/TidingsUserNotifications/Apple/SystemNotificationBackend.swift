// SPDX-License-Identifier: Apache-2.0
#if canImport(UserNotifications)
import Foundation
import UserNotifications

/// Shows notifications through the system's own center, on Apple systems.
///
/// It has been written after the system's documentation and **has not been run**: this package is
/// built and tested on Linux. The schedule, the list and the receipts are those of
/// ``UserNotificationCenter``; the system only shows. Whether the person allows it is asked by the
/// program's question, for which ``requestAuthorization(_:)`` is the usual one.
///
/// A process without a bundle, such as a command or a test, cannot use the system's center: the
/// system would end it. Creating a backend throws there.
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
    private let stage = SystemNotificationStage()
    /// The system does not keep its delegate.
    private let listener: SystemNotificationListener

    /// Creates a backend and becomes the delegate of the system's center.
    ///
    /// - Throws: ``UserNotificationError`` with `.noBundle` in a process without a bundle.
    public init() throws(UserNotificationError) {
        guard Bundle.main.bundleIdentifier != nil else {
            throw UserNotificationError(
                .noBundle,
                "The system shows notifications of programs with a bundle only. Use another "
                    + "backend in commands and tests."
            )
        }
        listener = SystemNotificationListener(stage)
        UNUserNotificationCenter.current().delegate = listener
    }

    /// Everything that the system has; a picture in memory is left out all the same, and named.
    public var features: NotificationFeatures {
        NotificationFeatures.all.subtracting([.kind, .closeReasons, .activationToken])
    }

    /// Whether the person allows notifications in the system's settings.
    public func availability() async -> NotificationAvailability {
        let center = UNUserNotificationCenter.current()
        return switch await center.notificationSettings().authorizationStatus {
        case .denied: .unavailable("Notifications are switched off in the system's settings.")
        default: .available
        }
    }

    /// Asks the person as the system does, and returns the answer; nil if there was none.
    ///
    /// - Parameter options: What is asked for.
    /// - Returns: The answer, to be used as a center's question.
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

    /// Hands over where to tell what the person does.
    public func start(_ events: @escaping @Sendable (NotificationBackendEvent) -> Void) {
        stage.setEvents(events)
    }

    /// Shows a notification in place of an earlier one with its identifier.
    public func show(_ notification: UserNotification) async -> NotificationBackendResult {
        let (content, degraded) = notification.systemContent()
        let categories = stage.show(notification)
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

    /// Takes over what the system still lists.
    public func restore(
        _ shown: [ShownNotification]
    ) async -> [NotificationDelivery: NotificationHandle] {
        let center = UNUserNotificationCenter.current()
        let listed = Set(await center.deliveredNotifications().map(\.request.identifier))
        let found = shown.filter { listed.contains($0.notification.identifier) }
        for one in found { _ = stage.show(one.notification) }
        return Dictionary(found.map { ($0.notification.id, $0.handle) }) { _, last in last }
    }

    /// Takes away what is shown for an identifier, if anything is.
    public func close(_ identifier: String) async {
        stage.close(identifier)
        UNUserNotificationCenter.current().removeDeliveredNotifications(withIdentifiers: [
            identifier
        ])
    }

    /// Shows a number for the whole program; 0 shows none.
    public func setBadge(_ count: Int) async {
        try? await UNUserNotificationCenter.current().setBadgeCount(count)
    }
}
#endif
