// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
internal import TidingsUserNotifications

extension DaemonState {
    /// Shows a notification, replacing an earlier one with the same identifier.
    ///
    /// While a `Notify` call for the identifier is pending, the notification waits. The ID to
    /// replace is not known yet, and without the ID the daemon would show both notifications.
    mutating func show(_ posting: Posting) -> [Action] {
        var actions: [Action] = []
        if let older = entries[posting.identifier]?.next {
            settle(older, .refused(Self.replacedReason), into: &actions)
        }
        entries[posting.identifier, default: Entry()].next = posting
        entries[posting.identifier]?.isClosing = false
        advance(posting.identifier, &actions)
        return actions
    }

    /// Closes the notification with an identifier, now or as soon as the ID is known.
    mutating func close(_ identifier: String) -> [Action] {
        guard let entry = entries[identifier] else { return [] }
        var actions: [Action] = []
        if let next = entry.next {
            entries[identifier]?.next = nil
            settle(next, .refused(Self.closedReason), into: &actions)
        }
        entries[identifier]?.isClosing = true
        advance(identifier, &actions)
        return actions
    }

    /// Handles the result of a `Notify` call, from the daemon or from the bus.
    mutating func notifyReturned(_ number: Int, _ result: Result<UInt32, BusError>) -> [Action] {
        guard let identifier = identifiersByCall.removeValue(forKey: number),
            let pendingCall = entries[identifier]?.pendingCall
        else { return [] }
        entries[identifier]?.pendingCall = nil
        var actions: [Action] = []
        if case .success(let id) = result, id > 0 {
            complete(pendingCall, id: id, &actions)
        } else {
            settle(pendingCall.posting, Self.backendResult(result), into: &actions)
        }
        advance(identifier, &actions)
        return actions
    }

    /// Handles the timeout of a ticket.
    ///
    /// The daemon that received the call may still show the notification, and a waiting
    /// notification for the same identifier follows. Neither notification is sent to another
    /// daemon, which may appear much later. A notification that no daemon received is dropped.
    mutating func expired(_ ticket: Int) -> [Action] {
        for (identifier, entry) in entries {
            if entry.pendingCall?.posting.ticket == ticket {
                entries[identifier]?.pendingCall?.posting.isLate = true
            } else if entry.next?.ticket == ticket {
                if entry.pendingCall == nil {
                    entries[identifier]?.next = nil
                    removeIfEmpty(identifier)
                } else {
                    entries[identifier]?.next?.isLate = true
                }
            }
        }
        return [.settle(ticket, .unavailable(Self.noAnswerReason))]
    }

    /// Abandons a call to an earlier owner, whose late reply would have a void ID.
    ///
    /// The notification is sent to the next owner once. No second attempt is made for a claim, for
    /// a notification that is being closed or has a newer one waiting, or after the caller got a
    /// timeout.
    mutating func abandonCall(_ identifier: String, _ actions: inout [Action]) {
        guard let entry = entries[identifier], let pendingCall = entry.pendingCall else { return }
        identifiersByCall[pendingCall.notify.number] = nil
        entries[identifier]?.pendingCall = nil
        if entry.next?.isLate == true { entries[identifier]?.next = nil }
        let posting = pendingCall.posting
        let canResend = entry.next == nil && !entry.isClosing && !posting.isLate && !posting.isClaim
        if canResend, posting.attempts == 0, case .open = bus {
            entries[identifier]?.next = posting
            entries[identifier]?.next?.attempts = 1
        } else {
            settle(posting, .unavailable(Self.exitedReason), into: &actions)
        }
    }

    private static let replacedReason = "A newer notification replaced this one."
    private static let closedReason = "The notification was closed before it was shown."
    private static let exitedReason = "The notification daemon exited."

    /// Takes the next step for every identifier.
    mutating func advanceAll(_ actions: inout [Action]) {
        for identifier in entries.keys.sorted() { advance(identifier, &actions) }
    }

    /// Takes the next step for an identifier, unless a call is pending.
    private mutating func advance(_ identifier: String, _ actions: inout [Action]) {
        guard let entry = entries[identifier], entry.pendingCall == nil else { return }
        if let next = entry.next {
            guard case .open = bus, let daemon, let capabilities = daemon.capabilities else {
                return prepare(&actions)
            }
            if next.notification.isOnlyListed, !capabilities.listsQuietly {
                leaveOut(next, owner: daemon.owner, &actions)
            } else {
                send(next, to: daemon.owner, capabilities: capabilities, &actions)
            }
        } else if let visible = entry.visible, entry.isClosing || visible.hasResponse {
            removeVisible(visible.id, identifier)
            if let daemon { actions.append(.close(owner: daemon.owner, id: visible.id)) }
        }
        removeIfEmpty(identifier)
    }

    /// Closes the earlier notification instead of drawing a bubble that the program does not want.
    private mutating func leaveOut(
        _ posting: Posting,
        owner: String,
        _ actions: inout [Action]
    ) {
        let identifier = posting.identifier
        if let old = entries[identifier]?.visible {
            removeVisible(old.id, identifier)
            actions.append(.close(owner: owner, id: old.id))
        }
        entries[identifier]?.next = nil
        settle(posting, .accepted(degraded: posting.notification.featuresOfListing), into: &actions)
    }

    private mutating func send(
        _ posting: Posting,
        to owner: String,
        capabilities: DaemonCapabilities,
        _ actions: inout [Action]
    ) {
        lastNumber += 1
        let notify = Notify(
            number: lastNumber,
            owner: owner,
            replaced: entries[posting.identifier]?.visible?.id ?? 0,
            arguments: NotifyArguments(
                posting.notification,
                of: program,
                for: capabilities,
                player: player,
                isQuiet: posting.isClaim
            )
        )
        entries[posting.identifier]?.next = nil
        entries[posting.identifier]?.pendingCall = PendingCall(posting: posting, notify: notify)
        identifiersByCall[notify.number] = posting.identifier
        actions.append(.notify(notify))
    }

    /// Records that a notification is shown under an ID.
    private mutating func complete(
        _ pendingCall: PendingCall,
        id: UInt32,
        _ actions: inout [Action]
    ) {
        let identifier = pendingCall.posting.identifier
        if let old = entries[identifier]?.visible { removeVisible(old.id, identifier) }
        if pendingCall.posting.isClaim, id != pendingCall.notify.replaced {
            return rejectClaim(pendingCall.posting, id, into: &actions)
        }
        // If the daemon returned the ID of another notification, that notification was replaced.
        if let other = identifiersByID[id], let lost = entries[other]?.visible {
            removeVisible(id, other)
            actions.append(.deliver(.closed(lost.delivery, .unknown)))
            removeIfEmpty(other)
        }
        identifiersByID[id] = identifier
        entries[identifier]?.visible = VisibleNotification(
            id: id,
            delivery: pendingCall.posting.notification.id,
            keys: pendingCall.notify.arguments.keys
        )
        if let sound = pendingCall.notify.arguments.soundCommand { actions.append(.play(sound)) }
        let handle = handle(of: id)
        settle(
            pendingCall.posting,
            .accepted(degraded: pendingCall.notify.arguments.degraded, handle: handle),
            into: &actions
        )
    }

    /// Returns a result to the waiting caller, unless the caller already got a timeout.
    func settle(
        _ posting: Posting,
        _ result: NotificationBackendResult,
        into actions: inout [Action]
    ) {
        if !posting.isLate { actions.append(.settle(posting.ticket, result)) }
    }

    private static func backendResult(
        _ result: Result<UInt32, BusError>
    ) -> NotificationBackendResult {
        switch result {
        case .success: .refused("The notification daemon returned no ID.")
        case .failure(.timedOut): .unavailable(noAnswerReason)
        case .failure(.disconnected(let reason)): .unavailable(reason)
        case .failure(.invalid(let reason)): .refused(reason)
        case .failure(.refused(let name, let message)):
            switch name {
            case "org.freedesktop.DBus.Error.NoReply",
                "org.freedesktop.DBus.Error.ServiceUnknown",
                "org.freedesktop.DBus.Error.NameHasNoOwner":
                .unavailable(exitedReason)
            case _ where name.hasSuffix("ExcessNotificationGeneration"):
                .refused("Too many notifications in a short time. Try again later.")
            default: .refused(message.isEmpty ? name : message)
            }
        }
    }

    func handle(of id: UInt32) -> NotificationHandle? {
        guard case .open(let server) = bus, let daemon else { return nil }
        return DaemonHandle(server: server, owner: daemon.owner, id: id).handle
    }

    mutating func removeVisible(_ id: UInt32, _ identifier: String) {
        identifiersByID[id] = nil
        entries[identifier]?.visible = nil
    }

    mutating func removeIfEmpty(_ identifier: String) {
        if entries[identifier]?.isEmpty == true { entries[identifier] = nil }
    }
}
#endif
