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
                actions.append(.settle(posting.ticket, .refused("It is not shown any more.")))
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

    private mutating func take(_ posting: Posting, _ id: UInt32, _ traits: DaemonTraits) {
        let arguments = NotifyArguments(posting.notification, of: program, for: traits)
        shown[id] = posting.identifier
        lines[posting.identifier] = Line(
            shown: Shown(id: id, delivery: posting.notification.id, keys: arguments.keys)
        )
    }
}
