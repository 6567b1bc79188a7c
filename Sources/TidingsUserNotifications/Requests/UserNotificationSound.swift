// SPDX-License-Identifier: Apache-2.0

/// The sound of a notification.
@nonexhaustive public enum UserNotificationSound: Hashable, Sendable, Codable {
    /// The backend's default sound for notifications.
    case `default`
    /// A sound that the backend finds by name, such as `message-new-instant`.
    case named(String)
    /// The file with this absolute path.
    case file(String)
}
