// SPDX-License-Identifier: Apache-2.0

/// Whoever shows notifications to the person.
///
/// A center owns its backend and calls `start` once, before anything else. For one identifier it
/// makes one call at a time, in order; for different identifiers calls may overlap.
public protocol NotificationBackend: Sendable {
    /// Hands over where to tell what the person does.
    ///
    /// - Parameter events: May be called from any thread; it returns quickly. Events about a
    ///   delivery that is not current any more are ignored.
    func start(_ events: @escaping @Sendable (NotificationBackendEvent) -> Void)

    /// Shows a notification in place of an earlier one with its identifier.
    func show(_ notification: UserNotification) async -> NotificationBackendResult

    /// Takes away what is shown for an identifier, if anything is.
    func close(_ identifier: String) async

    /// Shows a number for the whole program; 0 shows none. Never negative.
    func setBadge(_ count: Int) async
}

/// What a backend did with a notification.
@nonexhaustive public enum NotificationBackendResult: Hashable, Sendable {
    /// It was taken over.
    case accepted
    /// It was not, and this is why.
    case refused(String)
}

/// What a backend tells its center.
@nonexhaustive public enum NotificationBackendEvent: Hashable, Sendable {
    /// The person did something with what is shown.
    case responded(NotificationDelivery, NotificationResponse.Action)
}
