// SPDX-License-Identifier: Apache-2.0
import Tidings

extension UserNotificationCenter {
    /// Takes what the backend tells.
    func handle(_ event: NotificationBackendEvent) {
        switch event {
        case .responded(let delivery, .dismissed, _): end(delivery, .dismissed)
        case .responded(let delivery, let action, let token):
            _ = respond(to: delivery, action, token)
        case .closed(let delivery, let reason): end(delivery, reason)
        case .availabilityChanged(let availability):
            if presence.note(availability) { tellStatus() }
        }
    }

    /// Tells of an end that nobody has caused here.
    ///
    /// One that follows a response, a removal or a replacement is no news.
    private func end(_ delivery: NotificationDelivery, _ reason: NotificationCloseReason) {
        guard let ended = state.withLock({ $0.inbox.end(delivery, reason) }) else { return }
        tellEnd(of: ended.notification, reason)
        conclude(ended.aftermath)
        if !ended.aftermath.isListChanged { save() }
    }

    func tellEnd(of notification: UserNotification, _ reason: NotificationCloseReason) {
        messages.post(NotificationClosed(notification: notification, reason: reason))
        guard reason == .dismissed, notification.options.contains(.reportsDismissal) else { return }
        let response = NotificationResponse(
            notification: notification,
            action: .dismissed,
            activationToken: nil
        )
        messages.post(response, retention: .untilHandled)
    }

    /// Tells what the person's answer means now, the newest last.
    func tellStatus() {
        guard state.withLock({ $0.statusTelling.enter() }) else { return }
        Task {
            while state.withLock({ $0.statusTelling.next() }) {
                // Nobody has answered, or nobody knows: that has not changed.
                guard let status = try? await desk.status(), status != .notDetermined,
                    status != .denied
                else { continue }
                messages.post(AuthorizationChanged(status: status))
            }
        }
    }
}
