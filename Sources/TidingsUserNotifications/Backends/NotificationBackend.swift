// SPDX-License-Identifier: Apache-2.0
package import Foundation

/// A service that shows notifications to the user.
///
/// A center owns the backend and calls `start` once, before showing anything. Calls for one
/// identifier never overlap and keep their order, but calls for different identifiers may overlap.
/// A backend that can always show everything only needs `start`, `show`, `close` and `setBadge`.
///
/// The suite `NotificationBackendContract` of `TidingsUserNotificationsTesting` lists and tests the
/// requirements.
package protocol NotificationBackend: Sendable {
    /// The features that can be shown now.
    ///
    /// When the features change, the backend sends `availabilityChanged`.
    var features: UserNotificationFeatures { get }

    /// Returns whether notifications can be shown now.
    ///
    /// The call may query a service, within the backend's own timeout.
    func availability() async -> NotificationAvailability

    /// Sets the program that the notifications belong to.
    ///
    /// The center calls this before `start`, and again after the store was read.
    func introduce(_ application: UserNotificationCenter.Application)

    /// Sets the closure to call with each event.
    ///
    /// - Parameter events: The closure, which may be called on any thread and returns quickly. The
    ///   center ignores events about a delivery that is no longer current.
    func start(_ events: @escaping @Sendable (NotificationBackendEvent) -> Void)

    /// Shows a notification in place of an earlier one with the same identifier.
    ///
    /// The result names the features that were left out. A handle in the result lets a later run of
    /// the program find the notification again.
    func show(_ notification: UserNotification) async -> NotificationBackendResult

    /// Takes over the notifications of an earlier run.
    ///
    /// The center calls this at most once and before the first `show`. If the store could not be
    /// read at first, the call comes later, but never for an identifier that this run has already
    /// shown. The notifications that are still visible belong to this run from then on, and the
    /// backend sends their events.
    ///
    /// - Parameter shown: The notifications that the earlier run showed, with their handles.
    /// - Returns: A new handle for each notification that is still visible. All other notifications
    ///   have ended.
    func restore(_ shown: [ShownNotification]) async -> [NotificationDelivery: NotificationHandle]

    /// Removes the visible notification with an identifier, if there is one.
    func close(_ identifier: String) async

    /// Sets the program's badge, where 0 clears the badge.
    ///
    /// The count is never negative.
    func setBadge(_ count: Int) async

    /// Sets the date at which the system starts the closed program, or nil for never.
    ///
    /// The date holds beyond the end of the program. Without the feature `programStart` the call
    /// does nothing.
    func setProgramStart(_ date: Date?) async

    /// Returns whether the user has asked not to be disturbed, or nil if unknown.
    func doNotDisturb() async -> Bool?

    /// Opens the settings of notifications, and returns the reason if opening fails.
    func openSettings() async -> String?
}

extension NotificationBackend {
    /// All features.
    package var features: UserNotificationFeatures { .all }

    /// Returns that notifications can always be shown.
    package func availability() async -> NotificationAvailability { .available }

    /// Does nothing, because this backend does not need the program.
    package func introduce(_ application: UserNotificationCenter.Application) {}

    /// Returns no handles, because notifications of earlier runs are no longer visible.
    package func restore(
        _ shown: [ShownNotification]
    ) async -> [NotificationDelivery: NotificationHandle] {
        [:]
    }

    /// Does nothing, because nothing starts the program.
    package func setProgramStart(_ date: Date?) async {}

    /// Returns nil, which means unknown.
    package func doNotDisturb() async -> Bool? { nil }

    /// Returns that notifications have no settings.
    package func openSettings() async -> String? {
        "These notifications have no settings of their own. Use the program's own settings."
    }
}

/// The result of showing a notification.
package enum NotificationBackendResult: Hashable, Sendable {
    /// The notification was accepted, without the degraded features.
    case accepted(degraded: UserNotificationFeatures = [], handle: NotificationHandle? = nil)
    /// The notification was refused, with the reason.
    case refused(String)
    /// Notifications cannot be shown now, with the reason.
    case unavailable(String)
}

/// A response to a notification that may come from an earlier run.
package struct NotificationActivation: Hashable, Sendable {
    /// The identity of the store of the notification.
    package var store: String
    /// The delivery that the user responded to.
    package var delivery: NotificationDelivery
    /// The user's action.
    package var action: UserNotificationResponse.Action
    /// A token with which the program may raise a window.
    package var token: String?

    /// Creates a response.
    package init(
        store: String,
        delivery: NotificationDelivery,
        action: UserNotificationResponse.Action,
        token: String? = nil
    ) {
        self.store = store
        self.delivery = delivery
        self.action = action
        self.token = token
    }
}

/// An event that a backend sends to its center.
package enum NotificationBackendEvent: Hashable, Sendable {
    /// The user responded to a visible notification.
    ///
    /// The center then closes the notification, and the backend does not have to report the end.
    case responded(
        NotificationDelivery,
        UserNotificationResponse.Action,
        activationToken: String? = nil
    )
    /// The user responded to a notification of an earlier run, which started the program.
    case activated(NotificationActivation)
    /// A notification is no longer shown.
    case closed(NotificationDelivery, UserNotificationCloseReason)
    /// The availability or the features have changed.
    case availabilityChanged(NotificationAvailability)
}
