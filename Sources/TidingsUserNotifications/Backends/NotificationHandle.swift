// SPDX-License-Identifier: Apache-2.0

/// An opaque string with which a backend finds a visible notification again.
///
/// A center stores the handle with the delivered notification and passes the handle to
/// ``NotificationBackend/restore(_:)`` after a restart.
package struct NotificationHandle: Hashable, Sendable, Codable {
    /// The string, in a form that only the backend reads.
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
    /// The handle that the backend returned for the notification.
    package let handle: NotificationHandle

    /// Creates a pair of a notification and its handle.
    package init(notification: UserNotification, handle: NotificationHandle) {
        self.notification = notification
        self.handle = handle
    }
}
