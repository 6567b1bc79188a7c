// SPDX-License-Identifier: Apache-2.0
internal import TidingsUserNotifications

extension DaemonState {
    /// Asks for a connection if there is none and none is on its way.
    ///
    /// A bus that has said nothing is left to the next retry: whoever needed it meanwhile would wait
    /// for it to say nothing again.
    mutating func connect(isRetry: Bool = false) -> [Action] {
        switch bus {
        case .opening, .open: return []
        case .failed where silence != nil && !isRetry: return []
        case .idle, .failed:
            bus = .opening
            return [.open]
        }
    }

    /// There is a connection, and this is who was found on it.
    mutating func opened(server: String, owner: String?, isActivatable: Bool) -> [Action] {
        bus = .open(server: server)
        silence = nil
        self.isActivatable = isActivatable
        var actions: [Action] = []
        replaceOwner(owner, &actions)
        if daemon != nil || isAnythingWaiting { prepare(&actions) }
        tellChange(&actions)
        return actions
    }

    /// There is no connection, or none any more.
    ///
    /// - Parameters:
    ///   - reason: Why, for a person.
    ///   - isSilent: Whether the bus has said nothing for as long as anybody is waited for.
    /// - Returns: What to do.
    mutating func lost(_ reason: String, isSilent: Bool = false) -> [Action] {
        bus = .failed(reason)
        silence = isSilent ? reason : nil
        var actions: [Action] = []
        replaceOwner(nil, &actions)
        dropWaiting(.unavailable(reason), &actions)
        tellChange(&actions)
        return actions
    }

    /// Another one shows notifications from now on, or nobody.
    mutating func ownerChanged(to owner: String?) -> [Action] {
        guard daemon?.owner != owner else { return [] }
        var actions: [Action] = []
        replaceOwner(owner, &actions)
        if daemon != nil || isAnythingWaiting { prepare(&actions) }
        tellChange(&actions)
        return actions
    }

    private var isAnythingWaiting: Bool {
        lines.values.contains { $0.next != nil && $0.flight == nil }
    }

    /// The owner has said what it can do; without traits it has not.
    mutating func described(owner: String, _ traits: DaemonTraits?) -> [Action] {
        guard daemon?.owner == owner else { return [] }
        daemon?.isAsked = false
        var actions: [Action] = []
        if let traits {
            daemon?.traits = traits
            advanceAll(&actions)
        } else if isAnythingWaiting {
            // Nothing waits longer than its own limit.
            prepare(&actions)
        }
        tellChange(&actions)
        return actions
    }

    /// Whoever is being started has not come in the time that anybody is waited for.
    ///
    /// It still may. Until then, or until the bus says that it will not, everybody is told at once.
    mutating func startIsLate(_ reason: String) -> [Action] {
        guard isStarting, daemon == nil else { return [] }
        isStartLate = true
        startFailure = reason
        var actions: [Action] = []
        dropWaiting(.unavailable(reason), &actions)
        tellChange(&actions)
        return actions
    }

    /// Nobody could be started.
    ///
    /// If somebody should have been, nobody tries again before ``startIsAllowed()``.
    mutating func startFailed(_ reason: String, isActivatable: Bool) -> [Action] {
        guard isStarting else { return [] }
        isStarting = false
        isStartLate = false
        isStartBarred = isActivatable
        self.isActivatable = isActivatable
        startFailure = reason
        var actions: [Action] = []
        dropWaiting(.unavailable(reason), &actions)
        tellChange(&actions)
        return actions
    }

    /// The next one who needs it has somebody started again.
    mutating func startIsAllowed() {
        isStartBarred = false
    }

    static let silence = "The program that shows notifications does not answer."

    /// Everything that the earlier owner has shown is gone, and its numbers mean nothing, also those
    /// that it has yet to give.
    private mutating func replaceOwner(_ owner: String?, _ actions: inout [Action]) {
        guard daemon?.owner != owner else { return }
        shown = [:]
        for (identifier, line) in lines.sorted(by: { $0.key < $1.key }) {
            ground(identifier, &actions)
            lines[identifier]?.shown = nil
            if let shown = line.shown, !shown.isAnswered {
                actions.append(.tell(.closed(shown.delivery, .unknown)))
            }
            removeIfEmpty(identifier)
        }
        daemon = owner.map { Daemon(owner: $0) }
        (isStarting, isStartLate, isStartBarred) = (false, false, false)
        if owner != nil { startFailure = nil }
    }

    /// Asks for what is missing before anything can be shown.
    mutating func prepare(_ actions: inout [Action]) {
        if let silence { return dropWaiting(.unavailable(silence), &actions) }
        switch bus {
        case .idle, .failed: actions += connect()
        case .opening: break
        case .open:
            guard let daemon else {
                if isStartLate || isStartBarred, let startFailure {
                    return dropWaiting(.unavailable(startFailure), &actions)
                }
                guard !isStarting else { return }
                isStarting = true
                return actions.append(.start)
            }
            guard daemon.traits == nil, !daemon.isAsked else { return }
            self.daemon?.isAsked = true
            actions.append(.describe(owner: daemon.owner))
        }
    }

    /// What waits for somebody who shows it waits no more.
    private mutating func dropWaiting(
        _ result: NotificationBackendResult,
        _ actions: inout [Action]
    ) {
        for (identifier, line) in lines.sorted(by: { $0.key < $1.key }) {
            guard let next = line.next, line.flight == nil else { continue }
            lines[identifier]?.next = nil
            settle(next, result, &actions)
            removeIfEmpty(identifier)
        }
    }
}
