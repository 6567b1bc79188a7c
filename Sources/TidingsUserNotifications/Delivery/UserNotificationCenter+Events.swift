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
        case .activated(let activation):
            activations.enqueue { [self] in await respond(to: activation) }
        case .closed(let delivery, let reason): end(delivery, reason)
        case .availabilityChanged(let availability):
            if backendAvailability.update(availability) { postStatus() }
        }
    }

    /// Posts a response that may have started the program, once the earlier runs' notifications are
    /// listed.
    ///
    /// Nothing is posted if the notification has ended, or does not offer the action.
    private func respond(to activation: NotificationActivation) async {
        await started()
        guard state.withLock(\.identity) == activation.store,
            let known = delivered().first(where: { $0.id == activation.delivery }),
            (try? known.check(activation.action)) != nil
        else { return }
        _ = respond(to: known.id, activation.action, activation.token)
    }

    /// Posts that a notification is no longer shown.
    ///
    /// A close event that follows a response, a removal or a replacement is dropped.
    private func end(_ delivery: NotificationDelivery, _ reason: UserNotificationCloseReason) {
        guard let ended = state.withLock({ $0.inbox.end(delivery, reason) }) else { return }
        postEnd(of: ended.notification, reason)
        apply(ended.effects)
        if !ended.effects.isListChanged { save() }
    }

    func postEnd(of notification: UserNotification, _ reason: UserNotificationCloseReason) {
        messages.post(UserNotificationClosed(notification: notification, reason: reason))
        guard reason == .dismissed, notification.options.contains(.reportsDismissal) else { return }
        let response = UserNotificationResponse(
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
                messages.post(UserNotificationAuthorizationChanged(status: status))
            }
        }
    }
}
