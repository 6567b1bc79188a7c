// SPDX-License-Identifier: Apache-2.0
package import TidingsUserNotifications

/// A simulated user who sees the notifications of a backend and responds to them.
///
/// A contract suite uses a simulated user to read the visible notifications and to act on them. For
/// a desktop, the simulated user queries the daemon and moves the mouse.
/// ``InMemoryNotificationPerson`` queries the backend.
package protocol NotificationPerson: Sendable {
    /// Returns the titles and bodies of the visible notifications, in any order.
    ///
    /// The result includes the effect of all calls of the backend that have returned. If calls take
    /// effect later, wait for the effect here. The suite calls this again after an event of the
    /// backend and when the limit of the suite has passed, but does not poll. Return an empty body
    /// if the body cannot be read.
    func seen() async throws -> [NotificationSight]

    /// Performs an action on a visible notification.
    ///
    /// - Parameters:
    ///   - notification: The notification that the backend has shown.
    ///   - action: The action of the user.
    /// - Throws: An error, which ends the attempt, if the action is not possible.
    func respond(
        to notification: UserNotification,
        _ action: UserNotificationResponse.Action
    ) async throws
}

/// The visible part of one notification.
package struct NotificationSight: Hashable, Sendable {
    /// The visible title.
    package let title: String
    /// The visible text, or an empty string for unreadable text.
    package let body: String

    /// Creates a sight.
    ///
    /// - Parameters:
    ///   - title: The visible title.
    ///   - body: The visible text, or an empty string for unreadable text.
    package init(title: String, body: String) {
        self.title = title
        self.body = body
    }
}

/// A simulated user of a program with an in-memory backend.
package struct InMemoryNotificationPerson: NotificationPerson {
    private let backend: UserNotificationInMemoryBackend

    /// Creates a simulated user.
    ///
    /// - Parameter backend: The backend whose notifications the simulated user sees.
    package init(_ backend: UserNotificationInMemoryBackend) {
        self.backend = backend
    }

    /// Returns the visible notifications, the oldest first.
    package func seen() async throws -> [NotificationSight] {
        backend.shown.map { NotificationSight(title: $0.content.title, body: $0.content.body) }
    }

    /// Performs an action on a visible notification.
    ///
    /// - Throws: `UserNotificationError` if the notification is not visible or lacks the action.
    package func respond(
        to notification: UserNotification,
        _ action: UserNotificationResponse.Action
    ) async throws {
        try backend.respond(to: notification.identifier, action)
    }
}
