// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
internal import TidingsUserNotifications

extension DaemonState {
    /// Claims notifications of an earlier run and settles every ticket, with a handle on success.
    ///
    /// If the daemon broadcasts signals, the ID is enough. If the daemon signals only the last
    /// sender, the notification is posted again under the same ID and without a sound.
    ///
    /// - Parameters:
    ///   - postings: The notifications of the earlier run, with their handles.
    ///   - closed: The IDs that the daemon reported as no longer shown.
    /// - Returns: The actions to perform.
    mutating func claim(
        _ postings: [(posting: Posting, handle: NotificationHandle)],
        closed: Set<UInt32>
    ) -> [Action] {
        var actions: [Action] = []
        for (posting, handle) in postings {
            guard let known = DaemonHandle(handle), let daemon,
                let capabilities = daemon.capabilities,
                bus == .open(server: known.server), known.owner == daemon.owner,
                !capabilities.closesOnDisconnect, !closed.contains(known.id),
                entries[posting.identifier] == nil, identifiersByID[known.id] == nil
            else {
                actions.append(.settle(posting.ticket, .refused(Self.endedReason)))
                continue
            }
            register(posting, known.id, capabilities: capabilities)
            if capabilities.signalsOnlyLastSender {
                actions += show(posting)
            } else {
                actions.append(.settle(posting.ticket, .accepted(handle: handle)))
            }
        }
        return actions
    }

    /// Closes a claimed notification that the daemon showed under a new ID.
    ///
    /// The old notification had been closed without a signal, and the daemon no longer had its ID.
    mutating func rejectClaim(_ posting: Posting, _ id: UInt32, into actions: inout [Action]) {
        // The daemon may have returned the ID of another notification.
        if let daemon, identifiersByID[id] == nil {
            actions.append(.close(owner: daemon.owner, id: id))
        }
        settle(posting, .refused(Self.endedReason), into: &actions)
        removeIfEmpty(posting.identifier)
    }

    private static let endedReason = "The notification is no longer shown."

    private mutating func register(
        _ posting: Posting,
        _ id: UInt32,
        capabilities: DaemonCapabilities
    ) {
        let arguments = NotifyArguments(posting.notification, of: program, for: capabilities)
        identifiersByID[id] = posting.identifier
        entries[posting.identifier] = Entry(
            visible: VisibleNotification(
                id: id,
                delivery: posting.notification.id,
                keys: arguments.keys
            )
        )
    }
}
#endif
