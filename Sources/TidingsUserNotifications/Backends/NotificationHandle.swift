// SPDX-License-Identifier: Apache-2.0

/// An opaque text with which a backend finds a notification that it showed.
///
/// A center stores it with the delivered notification and passes it to
/// ``NotificationBackend/restore(_:)`` after a restart.
public struct NotificationHandle: Hashable, Sendable, Codable {
    /// The text, in a form that only the backend reads.
    public let text: String

    /// Creates a handle.
    public init(_ text: String) {
        self.text = text
    }
}

/// A notification that an earlier run showed and that may still be visible.
public struct ShownNotification: Hashable, Sendable {
    /// The notification.
    public let notification: UserNotification
    /// The handle that the backend returned for it.
    public let handle: NotificationHandle

    /// Creates a pair of a notification and its handle.
    public init(notification: UserNotification, handle: NotificationHandle) {
        self.notification = notification
        self.handle = handle
    }
}
