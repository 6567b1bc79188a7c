// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
internal import TidingsUserNotifications

extension DaemonState {
    /// Handles a signal and ignores signals from other senders and about unknown notifications.
    mutating func received(_ signal: DaemonSignal, from sender: String?) -> [Action] {
        guard let daemon, sender == daemon.owner,
            let identifier = identifiersByID[signal.id],
            let visible = entries[identifier]?.visible, !visible.hasResponse
        else {
            if case .closed(let id, _) = signal, sender == daemon?.owner { return ended(id) }
            return []
        }
        switch signal {
        case .token(_, let token):
            entries[identifier]?.visible?.token = token
            return []
        case .closed(let id, let reason):
            removeVisible(id, identifier)
            removeIfEmpty(identifier)
            return [.deliver(.closed(visible.delivery, reason))]
        case .invoked(_, let key):
            guard let choice = visible.keys.choice(key) else { return [] }
            return respond(identifier, visible, with: choice)
        case .replied(_, let text):
            guard let reply = visible.keys.reply else { return [] }
            return respond(identifier, visible, with: .reply(reply.identifier, text))
        }
    }

    /// Delivers the only response to a notification and closes the notification.
    ///
    /// The close action is sent even if the daemon also closes the notification.
    private mutating func respond(
        _ identifier: String,
        _ visible: VisibleNotification,
        with choice: UserNotificationResponse.Action
    ) -> [Action] {
        entries[identifier]?.visible?.hasResponse = true
        var actions: [Action] = [
            .deliver(.responded(visible.delivery, choice, activationToken: visible.token))
        ]
        // While a replacement is being sent, closing the ID would close the replacement.
        if entries[identifier]?.pendingCall == nil {
            removeVisible(visible.id, identifier)
            actions.append(.close(owner: daemon?.owner ?? "", id: visible.id))
            removeIfEmpty(identifier)
        }
        return actions
    }

    /// Removes a notification with a response, which the daemon closed during a replacement.
    private mutating func ended(_ id: UInt32) -> [Action] {
        guard let identifier = identifiersByID[id] else { return [] }
        removeVisible(id, identifier)
        removeIfEmpty(identifier)
        return []
    }
}
#endif
