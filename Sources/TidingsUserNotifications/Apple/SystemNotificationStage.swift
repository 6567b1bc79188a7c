// SPDX-License-Identifier: Apache-2.0
#if canImport(UserNotifications)
import Tidings

/// What the system's thread and the center's tasks both need.
final class SystemNotificationStage: Sendable {
    private struct State {
        var events: (@Sendable (NotificationBackendEvent) -> Void)?
        var shown: [String: UserNotification] = [:]
        var categories: [String: NotificationCategory] = [:]
    }

    private let state = Lock(State())

    func setEvents(_ events: @escaping @Sendable (NotificationBackendEvent) -> Void) {
        // A replaced closure is released here, after the lock.
        _ = state.withLock { state in
            defer { state.events = events }
            return state.events
        }
    }

    /// Notes what is shown, and returns all categories that the system has to know.
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

    func tell(_ event: NotificationBackendEvent) {
        state.withLock(\.events)?(event)
    }
}
#endif
