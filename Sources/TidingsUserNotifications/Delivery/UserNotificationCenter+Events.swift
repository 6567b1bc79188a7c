// SPDX-License-Identifier: Apache-2.0
import Tidings
import TidingsLock

extension UserNotificationCenter {
    /// Handles an event of the backend.
    func handle(_ event: NotificationBackendEvent) {
        switch event {
        case .responded(let delivery, .dismissed, _): end(delivery, .dismissed)
        case .responded(let delivery, let action, let token):
            _ = respond(to: delivery, action, token)
        case .closed(let delivery, let reason): end(delivery, reason)
        case .availabilityChanged(let availability):
            if backendAvailability.update(availability) { postStatus() }
        }
    }

    /// Posts that a notification is no longer shown.
    ///
    /// A close event that follows a response, a removal or a replacement is dropped.
    private func end(_ delivery: NotificationDelivery, _ reason: NotificationCloseReason) {
        guard let ended = state.withLock({ $0.inbox.end(delivery, reason) }) else { return }
        postEnd(of: ended.notification, reason)
        apply(ended.effects)
        if !ended.effects.isListChanged { save() }
    }

    func postEnd(of notification: UserNotification, _ reason: NotificationCloseReason) {
        messages.post(NotificationClosed(notification: notification, reason: reason))
        guard reason == .dismissed, notification.options.contains(.reportsDismissal) else { return }
        let response = NotificationResponse(
            notification: notification,
            action: .dismissed,
            activationToken: nil
        )
        messages.post(response, options: [.retainedUntilHandled])
    }

    /// Posts the authorization status after the backend's availability changed, the newest last.
    func postStatus() {
        guard state.withLock({ $0.statusPosts.begin() }) else { return }
        Task {
            while state.withLock({ $0.statusPosts.next() }) {
                // Availability does not matter if the answer is missing, unreadable or denied.
                guard let status = try? await authorizationPrompt.status(),
                    status != .notDetermined,
                    status != .denied
                else { continue }
                messages.post(AuthorizationChanged(status: status))
            }
        }
    }
}
