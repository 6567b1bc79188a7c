// SPDX-License-Identifier: Apache-2.0
import Tidings

/// A backend for programs that show notifications themselves, such as a web page, and for tests.
///
/// ```swift
/// let backend = InMemoryNotificationBackend()
/// let notifications = UserNotificationCenter(application: application, backend: backend, …)
/// try backend.respond(to: "download-7", .custom("library"))
/// ```
public final class InMemoryNotificationBackend: NotificationBackend {
    private struct State {
        var events: (@Sendable (NotificationBackendEvent) -> Void)?
        var shown: [UserNotification] = []
        var badge = 0
    }

    private let state = Lock(State())

    /// Creates a backend that shows nothing yet.
    public init() {}

    /// What is shown now, the oldest first.
    public var shown: [UserNotification] { state.withLock(\.shown) }

    /// The number at the program's name, 0 for none.
    public var badge: Int { state.withLock(\.badge) }

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
        state.withLock { state in
            state.shown.removeAll { $0.identifier == notification.identifier }
            state.shown.append(notification)
        }
        return .accepted()
    }

    /// Takes away what is shown for an identifier, if anything is.
    public func close(_ identifier: String) async {
        state.withLock { state in
            state.shown.removeAll { $0.identifier == identifier }
        }
    }

    /// Shows a number for the whole program; 0 shows none.
    public func setBadge(_ count: Int) async {
        state.withLock { $0.badge = count }
    }

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
        _ action: NotificationResponse.Action
    ) throws(UserNotificationError) {
        let (events, shown) = state.withLock { state in
            (state.events, state.shown.first { $0.identifier == identifier })
        }
        guard let shown else { throw .notDelivered(identifier) }
        try shown.check(action)
        events?(.responded(shown.id, action))
    }
}

extension NotificationBackend where Self == InMemoryNotificationBackend {
    /// A backend that shows nothing by itself.
    public static var inMemory: InMemoryNotificationBackend { InMemoryNotificationBackend() }
}
