// SPDX-License-Identifier: Apache-2.0

/// An opaque text with which a backend finds a notification that it showed.
///
/// A center stores it with the delivered notification and passes it to
/// ``NotificationBackend/restore(_:)`` after a restart.
package struct NotificationHandle: Hashable, Sendable, Codable {
    /// The text, in a form that only the backend reads.
    package let text: String

    /// Creates a handle.
    package init(_ text: String) {
        self.text = text
    }
}

/// A notification that an earlier run showed and that may still be visible.
package struct ShownNotification: Hashable, Sendable {
    /// The notification.
    package let notification: UserNotification
    /// The handle that the backend returned for it.
    package let handle: NotificationHandle

    /// Creates a pair of a notification and its handle.
    package init(notification: UserNotification, handle: NotificationHandle) {
        self.notification = notification
        self.handle = handle
    }
}
