// SPDX-License-Identifier: Apache-2.0
import Tidings

/// A backend for programs that show notifications themselves, such as a web page, and for tests.
///
/// A test says what can be shown, and does what a person would do. A second center with the same
/// backend takes over what is shown, as the next run of a program does.
///
/// ```swift
/// let backend = InMemoryNotificationBackend()
/// let notifications = UserNotificationCenter(application: application, backend: backend, …)
/// try backend.respond(to: "download-7", .custom("library"))
/// ```
public final class InMemoryNotificationBackend: NotificationBackend {
    private struct State {
        var events: (@Sendable (NotificationBackendEvent) -> Void)?
        /// By identifier, so that a long list costs no more than a short one.
        private(set) var shown: [String: (place: Int, notification: UserNotification)] = [:]
        private var lastPlace = 0
        var badge = 0
        var availability: NotificationAvailability

        init(availability: NotificationAvailability) {
            self.availability = availability
        }

        /// The oldest first.
        var notifications: [UserNotification] {
            shown.values.sorted { $0.place < $1.place }.map(\.notification)
        }

        mutating func show(_ notification: UserNotification) {
            lastPlace += 1
            shown[notification.identifier] = (lastPlace, notification)
        }

        mutating func takeAway(_ identifier: String) -> UserNotification? {
            shown.removeValue(forKey: identifier)?.notification
        }

        mutating func takeAll() -> [UserNotification] {
            defer { shown = [:] }
            return notifications
        }
    }

    /// What can be shown; the rest is named as left out.
    public let features: NotificationFeatures
    private let state: Lock<State>

    /// Creates a backend that shows nothing yet.
    ///
    /// - Parameters:
    ///   - features: What can be shown; everything, unless stated.
    ///   - availability: Whether anything is shown.
    public init(
        features: NotificationFeatures = .all,
        availability: NotificationAvailability = .available
    ) {
        self.features = features
        state = Lock(State(availability: availability))
    }

    /// What is shown now, the oldest first.
    public var shown: [UserNotification] { state.withLock(\.notifications) }

    /// The number at the program's name, 0 for none.
    public var badge: Int { state.withLock(\.badge) }

    /// Whether anything is shown now.
    public func availability() async -> NotificationAvailability {
        state.withLock(\.availability)
    }

    /// Hands over where to tell what the person does.
    public func start(_ events: @escaping @Sendable (NotificationBackendEvent) -> Void) {
        // A replaced closure is released here, after the lock.
        _ = state.withLock { state in
            defer { state.events = events }
            return state.events
        }
    }

    /// Shows a notification in place of an earlier one with its identifier.
    public func show(_ notification: UserNotification) async -> NotificationBackendResult {
        let availability = state.withLock { state in
            guard case .available = state.availability else { return state.availability }
            state.show(notification)
            return .available
        }
        if case .unavailable(let reason) = availability { return .unavailable(reason) }
        let degraded = notification.neededFeatures.subtracting(features)
        return .accepted(degraded: degraded, handle: NotificationHandle("in memory"))
    }

    /// Takes over what an earlier center has shown here.
    public func restore(
        _ shown: [ShownNotification]
    ) async -> [NotificationDelivery: NotificationHandle] {
        let present = Set(self.shown.map(\.id))
        let found = shown.filter { present.contains($0.notification.id) }
        return Dictionary(found.map { ($0.notification.id, $0.handle) }) { _, last in last }
    }

    /// Takes away what is shown for an identifier, if anything is.
    public func close(_ identifier: String) async {
        // What is taken away is released here, after the lock.
        _ = state.withLock { $0.takeAway(identifier) }
    }

    /// Shows a number for the whole program; 0 shows none.
    public func setBadge(_ count: Int) async {
        state.withLock { $0.badge = count }
    }
}

extension InMemoryNotificationBackend {
    /// Does what a person does with a notification that is shown.
    ///
    /// The response has been posted when this returns, unless another one was faster.
    ///
    /// - Parameters:
    ///   - identifier: Which notification.
    ///   - action: What is done with it.
    /// - Throws: ``UserNotificationError`` with `.notDelivered` or `.unknownAction`.
    public func respond(
        to identifier: String,
        _ action: NotificationResponse.Action = .open
    ) throws(UserNotificationError) {
        if case .dismissed = action { return try end(identifier, .dismissed) }
        let (events, shown) = state.withLock { state in
            (state.events, state.shown[identifier]?.notification)
        }
        guard let shown else { throw .notDelivered(identifier) }
        try shown.check(action)
        events?(.responded(shown.id, action))
    }

    /// Ends a notification as time or a person does.
    ///
    /// - Parameters:
    ///   - identifier: Which notification.
    ///   - reason: Why it is not shown any more.
    /// - Throws: ``UserNotificationError`` with `.notDelivered`.
    public func end(
        _ identifier: String,
        _ reason: NotificationCloseReason
    ) throws(UserNotificationError) {
        let (events, shown) = state.withLock { state in
            (state.events, state.takeAway(identifier))
        }
        guard let shown else { throw .notDelivered(identifier) }
        events?(.closed(shown.id, reason))
    }

    /// Comes or goes as whoever shows notifications does; what was shown goes along.
    public func setAvailability(_ availability: NotificationAvailability) {
        let (events, gone) = state.withLock { state in
            state.availability = availability
            guard case .unavailable = availability else {
                return (state.events, [UserNotification]())
            }
            return (state.events, state.takeAll())
        }
        for notification in gone { events?(.closed(notification.id, .unknown)) }
        events?(.availabilityChanged(availability))
    }
}

extension NotificationBackend where Self == InMemoryNotificationBackend {
    /// A backend that shows nothing by itself.
    public static var inMemory: InMemoryNotificationBackend { InMemoryNotificationBackend() }
}
