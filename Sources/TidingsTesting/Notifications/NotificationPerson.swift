// SPDX-License-Identifier: Apache-2.0
public import TidingsUserNotifications

/// The hands and eyes of somebody at the place where a backend shows notifications.
///
/// A contract suite looks through it and acts with it. For a desktop it asks the daemon and moves
/// its mouse; for ``InMemoryNotificationPerson`` it asks the backend.
public protocol NotificationPerson: Sendable {
    /// Returns the notifications that can be seen, in any order: their titles and bodies.
    ///
    /// A place that cannot be asked for the text of the body returns an empty one.
    func seen() async throws -> [NotificationSight]

    /// Does something with what is seen of a notification.
    func respond(
        to notification: UserNotification,
        _ action: NotificationResponse.Action
    ) async throws
}

/// What a person sees of one notification.
public struct NotificationSight: Hashable, Sendable {
    /// The first line.
    public let title: String
    /// The text.
    public let body: String

    /// Creates a sight.
    ///
    /// - Parameters:
    ///   - title: The first line.
    ///   - body: The text.
    public init(title: String, body: String) {
        self.title = title
        self.body = body
    }
}

/// Somebody who uses a program with an in-memory backend.
public struct InMemoryNotificationPerson: NotificationPerson {
    private let backend: InMemoryNotificationBackend

    /// Creates a person.
    ///
    /// - Parameter backend: What the person looks at.
    public init(_ backend: InMemoryNotificationBackend) {
        self.backend = backend
    }

    /// Returns the notifications that are shown.
    public func seen() async throws -> [NotificationSight] {
        backend.shown.map { NotificationSight(title: $0.content.title, body: $0.content.body) }
    }

    /// Does something with a notification that is shown.
    public func respond(
        to notification: UserNotification,
        _ action: NotificationResponse.Action
    ) async throws {
        try backend.respond(to: notification.identifier, action)
    }
}
