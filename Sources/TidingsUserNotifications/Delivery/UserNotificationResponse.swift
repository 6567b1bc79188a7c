// SPDX-License-Identifier: Apache-2.0
public import Tidings

/// A user's response to a notification, posted on the center's `messages`.
///
/// A delivered notification has at most one response. The notification has already left
/// ``UserNotificationCenter/delivered()`` when the response is posted.
///
/// ```swift
/// let token = center.observe(UserNotificationResponse.self) { response in
///     if response.action == .custom("library") { openLibrary() }
/// }
/// ```
public struct UserNotificationResponse: Message, Hashable {
    /// The action of a user.
    @nonexhaustive public enum Action: Hashable, Sendable, Codable {
        /// The user tapped the notification itself.
        case open
        /// The user chose the action with this identifier.
        case custom(String)
        /// The user replied to the action with this identifier, and entered this text.
        case reply(String, String)
        /// The user dismissed the notification.
        ///
        /// This action is posted only if the category reports dismissals.
        case dismissed
    }

    /// The notification that the user responded to.
    public let notification: UserNotification
    /// The user's action.
    public let action: Action
    /// A token with which the program may raise a window, if the desktop uses tokens.
    public let activationToken: String?
}

/// A message that the list of delivered notifications changed, posted after each change.
public struct UserNotificationListChanged: Message, Hashable {
    /// The number of delivered notifications that are not read.
    public let unreadCount: Int
}

/// A message that a delivered notification is no longer shown and has no response.
///
/// A notification that the user dismissed has left ``UserNotificationCenter/delivered()``. All
/// other closed notifications are still listed.
public struct UserNotificationClosed: Message, Hashable {
    /// The notification.
    public let notification: UserNotification
    /// The reason why the notification is no longer shown.
    public let reason: UserNotificationCloseReason
}

/// A message that the store failed while no caller waited.
///
/// After a failed write the center tries again with the next change. The code `storeSetAside` means
/// that stored data could not be read, and `pictureNotCopied` that a picture has no copy.
public struct UserNotificationStoreFailed: Message {
    /// The reason.
    public let error: UserNotificationError
}

/// A message that the authorization status changed.
public struct UserNotificationAuthorizationChanged: Message, Hashable {
    /// The new status.
    public let status: UserNotificationAuthorizationStatus
}
