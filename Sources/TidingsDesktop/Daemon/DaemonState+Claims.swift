// SPDX-License-Identifier: Apache-2.0
internal import TidingsUserNotifications

extension DaemonState {
    /// Takes over what an earlier run has shown; each ticket is settled, with a handle if it worked.
    ///
    /// A daemon that tells everybody what becomes of a notification needs no more than our knowing
    /// its number. One that tells only its last poster gets it once more, under its number and
    /// without a sound.
    ///
    /// - Parameters:
    ///   - postings: What was shown, with its handle.
    ///   - gone: The numbers of which the daemon has said that they are not shown any more.
    /// - Returns: What to do.
    mutating func claim(
        _ postings: [(posting: Posting, handle: NotificationHandle)],
        gone: Set<UInt32>
    ) -> [Action] {
        var actions: [Action] = []
        for (posting, handle) in postings {
            guard let known = DaemonHandle(handle), let daemon, let traits = daemon.traits,
                bus == .open(server: known.server), known.owner == daemon.owner,
                !traits.forgetsWithThePoster, !gone.contains(known.id),
                lines[posting.identifier] == nil, shown[known.id] == nil
            else {
                actions.append(.settle(posting.ticket, .refused(Self.ended)))
                continue
            }
            take(posting, known.id, traits)
            if traits.tellsOnlyThePoster {
                actions += show(posting)
            } else {
                actions.append(.settle(posting.ticket, .accepted(handle: handle)))
            }
        }
        return actions
    }

    /// Takes back at once what was to be claimed and has come up again as something new.
    ///
    /// It had ended without a word, so that its number was not known any more.
    mutating func unclaim(_ posting: Posting, _ id: UInt32, _ actions: inout [Action]) {
        // It may have got the number of another one.
        if let daemon, shown[id] == nil { actions.append(.close(owner: daemon.owner, id: id)) }
        settle(posting, .refused(Self.ended), &actions)
        removeIfEmpty(posting.identifier)
    }

    private static let ended = "It is not shown any more."

    private mutating func take(_ posting: Posting, _ id: UInt32, _ traits: DaemonTraits) {
        let arguments = NotifyArguments(posting.notification, of: program, for: traits)
        shown[id] = posting.identifier
        lines[posting.identifier] = Line(
            shown: Shown(id: id, delivery: posting.notification.id, keys: arguments.keys)
        )
    }
}
