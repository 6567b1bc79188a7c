// SPDX-License-Identifier: Apache-2.0
public import Tidings

/// A person's response to a notification, posted on the center's `messages`.
///
/// A delivered notification has at most one response. It has already left
/// ``UserNotificationCenter/delivered()`` when the response is posted.
///
/// ```swift
/// let token = center.observe(NotificationResponse.self) { response in
///     if response.action == .custom("library") { openLibrary() }
/// }
/// ```
public struct NotificationResponse: Message, Hashable {
    /// The action of a person.
    @nonexhaustive public enum Action: Hashable, Sendable, Codable {
        /// The person tapped the notification itself.
        case open
        /// The person chose the action with this identifier.
        case custom(String)
        /// The person replied to the action with this identifier, with this text.
        case reply(String, String)
        /// The person dismissed the notification. Posted only if its category reports dismissals.
        case dismissed
    }

    /// The notification that the person responded to.
    public let notification: UserNotification
    /// The person's action.
    public let action: Action
    /// A token with which the program may raise its window, if the desktop uses them.
    public let activationToken: String?
}

/// A message that the list of delivered notifications changed, posted after each change.
public struct DeliveredNotificationsChanged: Message, Hashable {
    /// The number of delivered notifications that are not read.
    public let unreadCount: Int
}

/// A message that a delivered notification is no longer shown and has no response.
///
/// A notification that the person dismissed has left ``UserNotificationCenter/delivered()``; others
/// are still listed.
public struct NotificationClosed: Message, Hashable {
    /// The notification.
    public let notification: UserNotification
    /// The reason why it is no longer shown.
    public let reason: NotificationCloseReason
}

/// A message that a write failed for which no caller waits.
///
/// The center retries it with the next change.
public struct NotificationStoreFailed: Message {
    /// The reason.
    public let error: UserNotificationError
}

/// A message that the authorization status changed.
public struct AuthorizationChanged: Message, Hashable {
    /// The new status.
    public let status: AuthorizationStatus
}
