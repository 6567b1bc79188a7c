// SPDX-License-Identifier: Apache-2.0
internal import TidingsUserNotifications

extension DaemonState {
    /// Shows a notification in place of the one with its identifier.
    ///
    /// While an earlier one with its identifier is unanswered it waits: its number is not known yet,
    /// and two without a number would be two to see.
    mutating func show(_ posting: Posting) -> [Action] {
        var actions: [Action] = []
        if let older = lines[posting.identifier]?.next {
            settle(older, .refused(Self.replaced), &actions)
        }
        lines[posting.identifier, default: Line()].next = posting
        lines[posting.identifier]?.isEnding = false
        advance(posting.identifier, &actions)
        return actions
    }

    /// Takes away what is shown for an identifier, now or once its number is known.
    mutating func close(_ identifier: String) -> [Action] {
        guard let line = lines[identifier] else { return [] }
        var actions: [Action] = []
        if let next = line.next {
            lines[identifier]?.next = nil
            settle(next, .refused(Self.closed), &actions)
        }
        lines[identifier]?.isEnding = true
        advance(identifier, &actions)
        return actions
    }

    /// The daemon has answered a call, or the bus for it.
    mutating func notified(_ number: Int, _ result: Result<UInt32, BusError>) -> [Action] {
        guard let identifier = flights.removeValue(forKey: number),
            let flight = lines[identifier]?.flight
        else { return [] }
        lines[identifier]?.flight = nil
        var actions: [Action] = []
        if case .success(let id) = result, id > 0 {
            land(flight, under: id, &actions)
        } else {
            settle(flight.posting, Self.verdict(result), &actions)
        }
        advance(identifier, &actions)
        return actions
    }

    /// Whoever awaits this ticket has waited long enough.
    ///
    /// What was sent may be shown all the same by whom it was sent to, and what waits for that comes
    /// after it: but by nobody else, who may come much later. What nobody was there to take is
    /// dropped.
    mutating func expired(_ ticket: Int) -> [Action] {
        for (identifier, line) in lines {
            if line.flight?.posting.ticket == ticket {
                lines[identifier]?.flight?.posting.isLate = true
            } else if line.next?.ticket == ticket {
                if line.flight == nil {
                    lines[identifier]?.next = nil
                    removeIfEmpty(identifier)
                } else {
                    lines[identifier]?.next?.isLate = true
                }
            }
        }
        return [.settle(ticket, .unavailable(Self.silence))]
    }

    /// What was on its way to the earlier owner has nobody to arrive at: its answer, if there is one,
    /// would be a number that means nothing.
    ///
    /// It is sent to the next one instead, once, unless something newer is, or somebody was told
    /// that it was not shown.
    mutating func ground(_ identifier: String, _ actions: inout [Action]) {
        guard let line = lines[identifier], let flight = line.flight else { return }
        flights[flight.notify.number] = nil
        lines[identifier]?.flight = nil
        if line.next?.isLate == true { lines[identifier]?.next = nil }
        let posting = flight.posting
        let isWanted = line.next == nil && !line.isEnding && !posting.isLate && !posting.isClaim
        if isWanted, posting.attempts == 0, case .open = bus {
            lines[identifier]?.next = posting
            lines[identifier]?.next?.attempts = 1
        } else {
            settle(posting, .unavailable(Self.gone), &actions)
        }
    }

    private static let replaced = "A newer notification has taken its place."
    private static let closed = "It was taken back before it was shown."
    private static let gone = "The program that shows notifications has gone."

    mutating func advanceAll(_ actions: inout [Action]) {
        for identifier in lines.keys.sorted() { advance(identifier, &actions) }
    }

    /// Does the next thing of a line, if it need not wait for one before.
    private mutating func advance(_ identifier: String, _ actions: inout [Action]) {
        guard let line = lines[identifier], line.flight == nil else { return }
        if let next = line.next {
            guard case .open = bus, let daemon, let traits = daemon.traits else {
                return prepare(&actions)
            }
            send(next, to: daemon.owner, traits, &actions)
        } else if let shown = line.shown, line.isEnding || shown.isAnswered {
            forget(shown.id, identifier)
            if let daemon { actions.append(.close(owner: daemon.owner, id: shown.id)) }
        }
        removeIfEmpty(identifier)
    }

    private mutating func send(
        _ posting: Posting,
        to owner: String,
        _ traits: DaemonTraits,
        _ actions: inout [Action]
    ) {
        lastNumber += 1
        let notify = Notify(
            number: lastNumber,
            owner: owner,
            replaced: lines[posting.identifier]?.shown?.id ?? 0,
            arguments: NotifyArguments(
                posting.notification,
                of: program,
                for: traits,
                isQuiet: posting.isClaim
            )
        )
        lines[posting.identifier]?.next = nil
        lines[posting.identifier]?.flight = Flight(posting: posting, notify: notify)
        flights[notify.number] = posting.identifier
        actions.append(.notify(notify))
    }

    /// A notification is shown, and has its number.
    private mutating func land(_ flight: Flight, under id: UInt32, _ actions: inout [Action]) {
        let identifier = flight.posting.identifier
        if let old = lines[identifier]?.shown { forget(old.id, identifier) }
        if flight.posting.isClaim, id != flight.notify.replaced {
            return unclaim(flight.posting, id, &actions)
        }
        // A daemon that gives one number to two has put the second in the place of the first.
        if let other = shown[id], let lost = lines[other]?.shown {
            forget(id, other)
            actions.append(.tell(.closed(lost.delivery, .unknown)))
            removeIfEmpty(other)
        }
        shown[id] = identifier
        lines[identifier]?.shown = Shown(
            id: id,
            delivery: flight.posting.notification.id,
            keys: flight.notify.arguments.keys
        )
        let handle = handle(of: id)
        settle(
            flight.posting,
            .accepted(degraded: flight.notify.arguments.degraded, handle: handle),
            &actions
        )
    }

    /// Tells whoever awaits a result, unless they were told already.
    func settle(
        _ posting: Posting,
        _ result: NotificationBackendResult,
        _ actions: inout [Action]
    ) {
        if !posting.isLate { actions.append(.settle(posting.ticket, result)) }
    }

    private static func verdict(_ result: Result<UInt32, BusError>) -> NotificationBackendResult {
        switch result {
        case .success: .refused("The program that shows notifications gave no number.")
        case .failure(.timedOut): .unavailable(silence)
        case .failure(.disconnected(let reason)): .unavailable(reason)
        case .failure(.invalid(let reason)): .refused(reason)
        case .failure(.refused(let name, let message)):
            switch name {
            case "org.freedesktop.DBus.Error.NoReply",
                "org.freedesktop.DBus.Error.ServiceUnknown",
                "org.freedesktop.DBus.Error.NameHasNoOwner":
                .unavailable(gone)
            case _ where name.hasSuffix("ExcessNotificationGeneration"):
                .refused("There were too many notifications in a short time.")
            default: .refused(message.isEmpty ? name : message)
            }
        }
    }

    func handle(of id: UInt32) -> NotificationHandle? {
        guard case .open(let server) = bus, let daemon else { return nil }
        return DaemonHandle(server: server, owner: daemon.owner, id: id).handle
    }

    mutating func forget(_ id: UInt32, _ identifier: String) {
        shown[id] = nil
        lines[identifier]?.shown = nil
    }

    mutating func removeIfEmpty(_ identifier: String) {
        if lines[identifier]?.isEmpty == true { lines[identifier] = nil }
    }
}
