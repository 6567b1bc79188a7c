// SPDX-License-Identifier: Apache-2.0

/// What is heard with a notification.
@nonexhaustive public enum NotificationSound: Hashable, Sendable, Codable {
    /// The sound that notifications have where they are shown.
    case `default`
    /// A sound that whoever plays it knows by this name, such as `message-new-instant`.
    case named(String)
    /// The file with this absolute path.
    case file(String)
}
