// SPDX-License-Identifier: Apache-2.0
package import TidingsUserNotifications

/// The notifications that the routes of the API serve.
package protocol NotificationService: Sendable {
    /// The center that lists and delivers the notifications.
    var center: UserNotificationCenter { get }

    /// Returns the user's decision so far.
    func preference() async throws(UserNotificationError) -> NotificationPreference

    /// Stores the user's decision.
    func setPreference(isGranted: Bool) async throws

    /// Performs the user's response.
    ///
    /// - Parameters:
    ///   - identifier: The notification.
    ///   - action: The identifier of an action of the notification, or nil for a tap.
    /// - Returns: The target of the response.
    /// - Throws: `UserNotificationError` with `.notDelivered` or `.unknownAction`.
    func respond(
        to identifier: String,
        action: String?
    ) throws(UserNotificationError) -> NavigationRequested

    /// Returns whether the page must show a notification, because the desktop has not shown it.
    func isForPage(_ notification: UserNotification, isDesktopThere: Bool) -> Bool
}
