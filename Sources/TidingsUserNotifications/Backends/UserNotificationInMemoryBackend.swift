// SPDX-License-Identifier: Apache-2.0
package import Foundation
import Tidings
import TidingsLock

/// A backend for programs that show notifications themselves, such as a web page, and for tests.
///
/// A test chooses the features and acts as the user. A second center with the same backend takes
/// over the visible notifications, like the next run of a program.
///
/// ```swift
/// let backend = UserNotificationInMemoryBackend()
/// let notifications = UserNotificationCenter(…, backend: .inMemory(backend), …)
/// try backend.respond(to: "download-7", .custom("library"))
/// ```
public final class UserNotificationInMemoryBackend {
    private struct State {
        var events: (@Sendable (NotificationBackendEvent) -> Void)?
        /// The visible notifications by identifier, so that a lookup does not search a long list.
        private(set) var shown: [String: (position: Int, notification: UserNotification)] = [:]
        private var lastPosition = 0
        var badge = 0
        var programStart: Date?
        var availability: NotificationAvailability

        init(availability: NotificationAvailability) {
            self.availability = availability
        }

        /// The visible notifications, the oldest first.
        var notifications: [UserNotification] {
            shown.values.sorted { $0.position < $1.position }.map(\.notification)
        }

        mutating func show(_ notification: UserNotification) {
            lastPosition += 1
            shown[notification.identifier] = (lastPosition, notification)
        }

        mutating func remove(_ identifier: String) -> UserNotification? {
            shown.removeValue(forKey: identifier)?.notification
        }

        mutating func removeAll() -> [UserNotification] {
            defer { shown = [:] }
            return notifications
        }
    }

    /// The features that can be shown.
    ///
    /// Results report missing features as degraded.
    package let features: UserNotificationFeatures
    private let state: Lock<State>

    /// Creates a backend without visible notifications.
    ///
    /// - Parameter missing: The features that the backend leaves out and reports as degraded.
    public convenience init(missing: UserNotificationFeatures = []) {
        self.init(features: .all.subtracting(missing))
    }

    /// Creates a backend without visible notifications.
    package init(
        features: UserNotificationFeatures,
        availability: NotificationAvailability = .available
    ) {
        self.features = features
        state = Lock(State(availability: availability))
    }

    /// The visible notifications, the oldest first.
    public var shown: [UserNotification] { state.withLock(\.notifications) }

    /// The program's badge, where 0 means no badge.
    public var badge: Int { state.withLock(\.badge) }

    /// Returns whether notifications can be shown now.
    package func availability() async -> NotificationAvailability {
        state.withLock(\.availability)
    }

    /// Sets the closure to call with each event.
    package func start(_ events: @escaping @Sendable (NotificationBackendEvent) -> Void) {
        // The previous closure is released here, outside the lock.
        _ = state.withLock { state in
            defer { state.events = events }
            return state.events
        }
    }

    /// Shows a notification in place of an earlier one with the same identifier.
    package func show(_ notification: UserNotification) async -> NotificationBackendResult {
        let degraded = notification.neededFeatures.subtracting(features)
        let availability = state.withLock { state in
            guard case .available = state.availability else { return state.availability }
            if degraded.contains(.list) {
                _ = state.remove(notification.identifier)
            } else {
                state.show(notification)
            }
            return .available
        }
        if case .unavailable(let reason) = availability { return .unavailable(reason) }
        let handle = NotificationHandle("in memory \(notification.id.number)")
        return .accepted(degraded: degraded, handle: handle)
    }

    /// Takes over the notifications that an earlier center showed with this backend.
    package func restore(
        _ shown: [ShownNotification]
    ) async -> [NotificationDelivery: NotificationHandle] {
        let present = Set(self.shown.map(\.id))
        let found = shown.filter { present.contains($0.notification.id) }
        return Dictionary(found.map { ($0.notification.id, $0.handle) }) { _, last in last }
    }

    /// Removes the visible notification with an identifier, if there is one.
    package func close(_ identifier: String) async {
        // The removed notification is released here, outside the lock.
        _ = state.withLock { $0.remove(identifier) }
    }

    /// The date at which the system would start the program, or nil for never.
    package var programStart: Date? { state.withLock(\.programStart) }

    /// Sets the date at which the system would start the program.
    package func setProgramStart(_ date: Date?) async {
        state.withLock { $0.programStart = date }
    }

    /// Sets the program's badge, where 0 clears the badge.
    package func setBadge(_ count: Int) async {
        state.withLock { $0.badge = count }
    }
}

extension UserNotificationInMemoryBackend: NotificationBackend {}

extension UserNotificationInMemoryBackend {
    /// Responds to a visible notification, like a user.
    ///
    /// The center has posted the response when this returns, unless another response came first.
    ///
    /// - Parameters:
    ///   - identifier: The identifier of the notification.
    ///   - action: The user's action.
    /// - Throws: ``UserNotificationError`` with `.notDelivered` or `.unknownAction`.
    public func respond(
        to identifier: String,
        _ action: UserNotificationResponse.Action = .open
    ) throws(UserNotificationError) {
        if case .dismissed = action { return try end(identifier, .dismissed) }
        let (events, shown) = state.withLock { state in
            (state.events, state.shown[identifier]?.notification)
        }
        guard let shown else { throw .notDelivered(identifier) }
        try shown.check(action)
        events?(.responded(shown.id, action))
    }

    /// Ends a visible notification, like a timeout or a user.
    ///
    /// - Parameters:
    ///   - identifier: The identifier of the notification.
    ///   - reason: The reason why the notification is no longer shown.
    /// - Throws: ``UserNotificationError`` with `.notDelivered`.
    public func end(
        _ identifier: String,
        _ reason: UserNotificationCloseReason
    ) throws(UserNotificationError) {
        let (events, shown) = state.withLock { state in
            (state.events, state.remove(identifier))
        }
        guard let shown else { throw .notDelivered(identifier) }
        events?(.closed(shown.id, reason))
    }

    /// Sets whether notifications can be shown.
    ///
    /// Visible notifications end if none can be shown.
    ///
    /// - Parameter reason: The reason why no notification can be shown, as a sentence, or nil if
    ///   notifications can be shown.
    public func setUnavailable(_ reason: String?) {
        setAvailability(reason.map { .unavailable($0) } ?? .available)
    }

    /// Sets whether notifications can be shown.
    package func setAvailability(_ availability: NotificationAvailability) {
        let (events, gone) = state.withLock { state in
            state.availability = availability
            guard case .unavailable = availability else {
                return (state.events, [UserNotification]())
            }
            return (state.events, state.removeAll())
        }
        for notification in gone { events?(.closed(notification.id, .unknown)) }
        events?(.availabilityChanged(availability))
    }
}
