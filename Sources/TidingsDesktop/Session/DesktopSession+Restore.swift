// SPDX-License-Identifier: Apache-2.0
internal import TidingsUserNotifications

extension DesktopSession {
    /// Takes over what an earlier run has shown and can still be seen.
    func restore(
        _ shown: [ShownNotification]
    ) async -> [NotificationDelivery: NotificationHandle] {
        guard !shown.isEmpty else { return [:] }
        perform(state.connect())
        await wait { state in
            switch state.availability {
            case nil: false
            case .unavailable?: true
            // Nobody is started for what nobody shows.
            case .available?: state.daemon == nil || state.daemon?.traits != nil
            }
        }
        let gone = await numbersInHistory()
        var handles: [NotificationDelivery: NotificationHandle] = [:]
        for one in shown {
            let result = await result { ticket in
                let posting = DaemonState.Posting(
                    notification: one.notification,
                    ticket: ticket,
                    isClaim: true
                )
                return state.claim([(posting, one.handle)], gone: gone)
            }
            if case .accepted(_, let handle?) = result { handles[one.notification.id] = handle }
        }
        return handles
    }

    /// The numbers of which the daemon says that it has shown them before.
    private func numbersInHistory() async -> Set<UInt32> {
        guard let daemon = state.daemon, daemon.traits?.keepsHistory == true, let connection
        else { return [] }
        let call = BusCall.ofDaemon(
            daemon.owner,
            "NotificationListHistory",
            interface: "org.dunstproject.cmd0"
        )
        let limit = settings.limit
        return await withCheckedContinuation { continuation in
            connection.call(call, limit: limit) { result in
                let entries = (try? result.get())?.body.first?.asArray ?? []
                let numbers = entries.compactMap { entry -> UInt32? in
                    switch entry.asOptions?["id"] {
                    case .int32(let number): UInt32(exactly: number)
                    case .uint32(let number): number
                    default: nil
                    }
                }
                continuation.resume(returning: Set(numbers))
            }
        }
    }
}
