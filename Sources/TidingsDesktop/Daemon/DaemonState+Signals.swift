// SPDX-License-Identifier: Apache-2.0
internal import TidingsUserNotifications

extension DaemonState {
    /// Somebody has sent a signal: only the owner's count, and only about what we have shown.
    mutating func heard(_ signal: DaemonSignal, from sender: String?) -> [Action] {
        guard let daemon, sender == daemon.owner,
            let identifier = shown[signal.id],
            let shown = lines[identifier]?.shown, !shown.isAnswered
        else {
            if case .closed(let id, _) = signal, sender == daemon?.owner { return gone(id) }
            return []
        }
        switch signal {
        case .token(_, let token):
            lines[identifier]?.shown?.token = token
            return []
        case .closed(let id, let reason):
            forget(id, identifier)
            removeIfEmpty(identifier)
            return [.tell(.closed(shown.delivery, reason))]
        case .invoked(_, let key):
            guard let choice = shown.keys.choice(key) else { return [] }
            return answer(identifier, shown, choice)
        case .replied(_, let text):
            guard let reply = shown.keys.reply else { return [] }
            return answer(identifier, shown, .reply(reply.identifier, text))
        }
    }

    /// The one response of a notification; what is shown is closed, whoever closes it first.
    private mutating func answer(
        _ identifier: String,
        _ shown: Shown,
        _ choice: NotificationResponse.Action
    ) -> [Action] {
        lines[identifier]?.shown?.isAnswered = true
        var actions: [Action] = [
            .tell(.responded(shown.delivery, choice, activationToken: shown.token))
        ]
        // While a newer one is being sent to its place, closing the number would close that one.
        if lines[identifier]?.flight == nil {
            forget(shown.id, identifier)
            actions.append(.close(owner: daemon?.owner ?? "", id: shown.id))
            removeIfEmpty(identifier)
        }
        return actions
    }

    /// What was answered while a newer one was on its way has been closed by the daemon itself.
    private mutating func gone(_ id: UInt32) -> [Action] {
        guard let identifier = shown[id] else { return [] }
        forget(id, identifier)
        removeIfEmpty(identifier)
        return []
    }
}
