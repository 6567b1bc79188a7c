// SPDX-License-Identifier: Apache-2.0

/// What a backend needs to find again what it has shown; only the backend can read it.
///
/// A center keeps it with the delivered notification and gives it back after a restart, in
/// ``NotificationBackend/restore(_:)``.
public struct NotificationHandle: Hashable, Sendable, Codable {
    /// What the backend has written.
    public let text: String

    /// Creates a handle.
    public init(_ text: String) {
        self.text = text
    }
}

/// A notification that an earlier run has shown, and may still be seen.
public struct ShownNotification: Hashable, Sendable {
    /// What was shown.
    public let notification: UserNotification
    /// What the backend said of it then.
    public let handle: NotificationHandle

    /// Creates a pair of a notification and its handle.
    public init(notification: UserNotification, handle: NotificationHandle) {
        self.notification = notification
        self.handle = handle
    }
}
