// SPDX-License-Identifier: Apache-2.0
import TidingsLock

#if canImport(UserNotifications)
import Tidings

/// The state that the system's callbacks and the center's tasks share.
final class SystemNotificationState: Sendable {
    private struct State {
        var events: (@Sendable (NotificationBackendEvent) -> Void)?
        var shown: [String: UserNotification] = [:]
        var categories: [String: NotificationCategory] = [:]
    }

    private let state = Lock(State())

    func setEvents(_ events: @escaping @Sendable (NotificationBackendEvent) -> Void) {
        // The previous closure is released here, outside the lock.
        _ = state.withLock { state in
            defer { state.events = events }
            return state.events
        }
    }

    /// Adds a visible notification and returns all categories that the system has to know.
    func show(_ notification: UserNotification) -> [NotificationCategory] {
        state.withLock { state in
            state.shown[notification.identifier] = notification
            if let category = notification.ownCategory {
                state.categories[category.identifier] = category
            }
            return Array(state.categories.values)
        }
    }

    func close(_ identifier: String) {
        state.withLock { $0.shown[identifier] = nil }
    }

    func presentation(of identifier: String) -> PresentationOptions {
        state.withLock { $0.shown[identifier]?.presentation ?? [] }
    }

    func send(_ event: NotificationBackendEvent) {
        state.withLock(\.events)?(event)
    }
}
#endif
