// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
internal import TidingsUserNotifications

extension DaemonState {
    /// Requests a connection if none is open or being opened.
    ///
    /// Only a retry connects to a bus that did not respond, because any other caller would wait for
    /// the same timeout again.
    mutating func connect(isRetry: Bool = false) -> [Action] {
        switch bus {
        case .opening, .open: return []
        case .failed where unresponsiveReason != nil && !isRetry: return []
        case .idle, .failed:
            bus = .opening
            return [.open]
        }
    }

    /// Handles a new connection.
    ///
    /// - Parameters:
    ///   - server: The ID of the bus server.
    ///   - owner: The unique name of the daemon, or nil if none is running.
    ///   - isActivatable: Whether the bus can start a daemon.
    /// - Returns: The actions to perform.
    mutating func opened(server: String, owner: String?, isActivatable: Bool) -> [Action] {
        bus = .open(server: server)
        unresponsiveReason = nil
        self.isActivatable = isActivatable
        var actions: [Action] = []
        replaceOwner(owner, &actions)
        if daemon != nil || isAnythingWaiting { prepare(&actions) }
        deliverAvailabilityChange(&actions)
        return actions
    }

    /// Handles a failed or lost connection.
    ///
    /// - Parameters:
    ///   - reason: The reason, readable by a user.
    ///   - isUnresponsive: Whether the bus accepted the connection but did not respond in time.
    /// - Returns: The actions to perform.
    mutating func lost(_ reason: String, isUnresponsive: Bool = false) -> [Action] {
        bus = .failed(reason)
        unresponsiveReason = isUnresponsive ? reason : nil
        var actions: [Action] = []
        replaceOwner(nil, &actions)
        dropWaiting(.unavailable(reason), &actions)
        deliverAvailabilityChange(&actions)
        return actions
    }

    /// Handles a change of the daemon's owner, with nil when no daemon is left.
    mutating func ownerChanged(to owner: String?) -> [Action] {
        guard daemon?.owner != owner else { return [] }
        var actions: [Action] = []
        replaceOwner(owner, &actions)
        if daemon != nil || isAnythingWaiting { prepare(&actions) }
        deliverAvailabilityChange(&actions)
        return actions
    }

    /// Whether a notification waits for a daemon.
    private var isAnythingWaiting: Bool {
        entries.values.contains { $0.next != nil && $0.pendingCall == nil }
    }

    /// Handles the capabilities of an owner, with nil if the owner did not return any.
    mutating func described(owner: String, _ capabilities: DaemonCapabilities?) -> [Action] {
        guard daemon?.owner == owner else { return [] }
        daemon?.isDescribing = false
        var actions: [Action] = []
        if let capabilities {
            daemon?.capabilities = capabilities
            advanceAll(&actions)
        } else if isAnythingWaiting {
            // Requests the capabilities again. The timeout of each waiting notification ends this
            // repetition.
            prepare(&actions)
        }
        deliverAvailabilityChange(&actions)
        return actions
    }

    /// Handles a daemon that was started but did not appear within the limit.
    ///
    /// The daemon may still appear. Before that, and before the bus reports a failed start, callers
    /// get the reason immediately.
    mutating func startTimedOut(_ reason: String) -> [Action] {
        guard isStarting, daemon == nil else { return [] }
        hasStartTimedOut = true
        startFailure = reason
        var actions: [Action] = []
        dropWaiting(.unavailable(reason), &actions)
        deliverAvailabilityChange(&actions)
        return actions
    }

    /// Handles a failed start.
    ///
    /// If a daemon is installed as a service, the next attempt waits for ``allowStart()``.
    mutating func startFailed(_ reason: String, isActivatable: Bool) -> [Action] {
        guard isStarting else { return [] }
        isStarting = false
        hasStartTimedOut = false
        isStartBlocked = isActivatable
        self.isActivatable = isActivatable
        startFailure = reason
        var actions: [Action] = []
        dropWaiting(.unavailable(reason), &actions)
        deliverAvailabilityChange(&actions)
        return actions
    }

    /// Lets the next caller start a daemon again.
    mutating func allowStart() {
        isStartBlocked = false
    }

    static let noAnswerReason = "The notification daemon does not answer."

    /// Removes all notifications of the earlier owner and voids the owner's IDs.
    ///
    /// IDs in replies that are still to arrive are also void.
    private mutating func replaceOwner(_ owner: String?, _ actions: inout [Action]) {
        guard daemon?.owner != owner else { return }
        identifiersByID = [:]
        for (identifier, entry) in entries.sorted(by: { $0.key < $1.key }) {
            abandonCall(identifier, &actions)
            entries[identifier]?.visible = nil
            if let visible = entry.visible, !visible.hasResponse {
                actions.append(.deliver(.closed(visible.delivery, .unknown)))
            }
            removeIfEmpty(identifier)
        }
        daemon = owner.map { Daemon(owner: $0) }
        (isStarting, hasStartTimedOut, isStartBlocked) = (false, false, false)
        if owner != nil { startFailure = nil }
    }

    /// Requests the next missing step before a notification can be shown.
    ///
    /// The steps are the connection, the owner and the capabilities.
    mutating func prepare(_ actions: inout [Action]) {
        if let unresponsiveReason { return dropWaiting(.unavailable(unresponsiveReason), &actions) }
        switch bus {
        case .idle, .failed: actions += connect()
        case .opening: break
        case .open:
            guard let daemon else {
                if hasStartTimedOut || isStartBlocked, let startFailure {
                    return dropWaiting(.unavailable(startFailure), &actions)
                }
                guard !isStarting else { return }
                isStarting = true
                return actions.append(.start)
            }
            guard daemon.capabilities == nil, !daemon.isDescribing else { return }
            self.daemon?.isDescribing = true
            actions.append(.describe(owner: daemon.owner))
        }
    }

    /// Settles all notifications that wait for a daemon.
    private mutating func dropWaiting(
        _ result: NotificationBackendResult,
        _ actions: inout [Action]
    ) {
        for (identifier, entry) in entries.sorted(by: { $0.key < $1.key }) {
            guard let next = entry.next, entry.pendingCall == nil else { continue }
            entries[identifier]?.next = nil
            settle(next, result, into: &actions)
            removeIfEmpty(identifier)
        }
    }
}
#endif
