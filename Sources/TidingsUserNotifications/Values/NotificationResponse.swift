// SPDX-License-Identifier: Apache-2.0
public import Tidings

/// What a person did with a notification, posted on the center's `messages`.
///
/// A delivered notification gives at most one. By the time it is posted the notification has left
/// ``UserNotificationCenter/delivered()``.
///
/// ```swift
/// let token = center.observe(NotificationResponse.self) { response in
///     if response.action == .custom("library") { openLibrary() }
/// }
/// ```
public struct NotificationResponse: Message, Hashable {
    /// What a person can do.
    @nonexhaustive public enum Action: Hashable, Sendable, Codable {
        /// The notification itself was tapped.
        case open
        /// The action of the category with this identifier was chosen.
        case custom(String)
        /// The action with this identifier was answered in these words.
        case reply(String, String)
        /// The notification was put away; told only if its category reports that.
        case dismissed
    }

    /// What was responded to.
    public let notification: UserNotification
    /// What was done.
    public let action: Action
    /// With what the program may raise its window, where the person's system wants that.
    public let activationToken: String?
}

/// The list of delivered notifications is another one than before, posted after each change.
public struct DeliveredNotificationsChanged: Message, Hashable {
    /// How many are delivered and not read.
    public let unreadCount: Int
}

/// A delivered notification is not shown any more, and nobody has responded to it.
///
/// One that the person has put away has left ``UserNotificationCenter/delivered()``; others are
/// still listed.
public struct NotificationClosed: Message, Hashable {
    /// What was shown.
    public let notification: UserNotification
    /// Why it is not any more.
    public let reason: NotificationCloseReason
}

/// The store did not keep something that nobody waits for.
///
/// It is tried again with the next change.
public struct NotificationStoreFailed: Message {
    /// Why.
    public let error: UserNotificationError
}

/// Whether the program may notify, or whether somebody shows it, is another than before.
public struct AuthorizationChanged: Message, Hashable {
    /// What is allowed from now on.
    public let status: AuthorizationStatus
}
