// SPDX-License-Identifier: Apache-2.0

/// A service that shows notifications to the person.
///
/// A center owns its backend and calls `start` once, before it shows anything. Calls for one
/// identifier never overlap and keep their order; calls for different identifiers may overlap. A
/// backend that can always show everything only needs `start`, `show`, `close` and `setBadge`.
///
/// The suite `NotificationBackendContract` of
/// `TidingsUserNotificationsTesting` lists the requirements and tests
/// them.
public protocol NotificationBackend: Sendable {
    /// The features that can be shown now.
    ///
    /// When they change, the backend sends `availabilityChanged`.
    var features: NotificationFeatures { get }

    /// Returns whether notifications can be shown now.
    ///
    /// It may query a service, within the backend's own timeout.
    func availability() async -> NotificationAvailability

    /// Sets the program that the notifications belong to.
    ///
    /// Called before `start`, and again after the store was read.
    func introduce(_ application: UserNotificationCenter.Application)

    /// Sets the closure to call with each event.
    ///
    /// - Parameter events: May be called on any thread and returns quickly. The center ignores
    ///   events about a delivery that is no longer current.
    func start(_ events: @escaping @Sendable (NotificationBackendEvent) -> Void)

    /// Shows a notification in place of an earlier one with the same identifier.
    ///
    /// The result names the features that were left out. A handle in the result lets a later run of
    /// the program find the notification again.
    func show(_ notification: UserNotification) async -> NotificationBackendResult

    /// Takes over the notifications of an earlier run.
    ///
    /// Called at most once and before the first `show`. If the store could not be read at first, it
    /// is called later, but never for an identifier that this run has already shown. The
    /// notifications that are still visible belong to this run from then on, and the backend sends
    /// their events.
    ///
    /// - Parameter shown: The notifications that the earlier run showed, with their handles.
    /// - Returns: A new handle for each notification that is still visible; the others have ended.
    func restore(_ shown: [ShownNotification]) async -> [NotificationDelivery: NotificationHandle]

    /// Removes the visible notification with an identifier, if there is one.
    func close(_ identifier: String) async

    /// Sets the program's badge; 0 clears it. The count is never negative.
    func setBadge(_ count: Int) async
}

extension NotificationBackend {
    /// All features.
    public var features: NotificationFeatures { .all }

    /// Returns that notifications can always be shown.
    public func availability() async -> NotificationAvailability { .available }

    /// Does nothing: this backend does not need the program.
    public func introduce(_ application: UserNotificationCenter.Application) {}

    /// Returns no handles: notifications of earlier runs are no longer visible.
    public func restore(
        _ shown: [ShownNotification]
    ) async -> [NotificationDelivery: NotificationHandle] {
        [:]
    }
}

/// The result of showing a notification.
@nonexhaustive public enum NotificationBackendResult: Hashable, Sendable {
    /// The notification was accepted, without the degraded features.
    case accepted(degraded: NotificationFeatures = [], handle: NotificationHandle? = nil)
    /// The notification was refused, with the reason.
    case refused(String)
    /// Notifications cannot be shown now, with the reason.
    case unavailable(String)
}

/// An event that a backend sends to its center.
@nonexhaustive public enum NotificationBackendEvent: Hashable, Sendable {
    /// The person responded to a visible notification.
    ///
    /// The center then closes the notification; the backend does not have to send its end.
    case responded(
        NotificationDelivery,
        NotificationResponse.Action,
        activationToken: String? = nil
    )
    /// A notification is no longer shown.
    case closed(NotificationDelivery, NotificationCloseReason)
    /// The availability or the features have changed.
    case availabilityChanged(NotificationAvailability)
}
