// SPDX-License-Identifier: Apache-2.0
internal import TidingsUserNotifications

extension DesktopSession {
    /// Takes over what an earlier run has shown and can still be seen.
    ///
    /// All of it has one limit of time, however many there are and whatever is waited for.
    func restore(
        _ shown: [ShownNotification]
    ) async -> [NotificationDelivery: NotificationHandle] {
        guard !shown.isEmpty else { return [:] }
        let end = ContinuousClock.now + settings.limit
        perform(state.connect())
        await wait(before: end) { state in
            switch state.availability {
            case nil: false
            case .unavailable?: true
            // Nobody is started for what nobody shows.
            case .available?: state.daemon == nil || state.daemon?.traits != nil
            }
        }
        let gone = await numbersInHistory(before: end)
        return await withTaskGroup { group in
            for one in shown {
                group.addTask { (one.notification.id, await self.claim(one, gone, before: end)) }
            }
            var handles: [NotificationDelivery: NotificationHandle] = [:]
            for await (delivery, handle) in group { handles[delivery] = handle }
            return handles
        }
    }

    /// Takes over one; returns where it is shown now, unless it is not.
    private func claim(
        _ one: ShownNotification,
        _ gone: Set<UInt32>,
        before end: ContinuousClock.Instant
    ) async -> NotificationHandle? {
        let result = await result(before: end) { ticket in
            let posting = DaemonState.Posting(
                notification: one.notification,
                ticket: ticket,
                isClaim: true
            )
            return state.claim([(posting, one.handle)], gone: gone)
        }
        guard case .accepted(_, let handle) = result else { return nil }
        return handle
    }

    /// The numbers of which the daemon says that it has shown them before.
    private func numbersInHistory(before end: ContinuousClock.Instant) async -> Set<UInt32> {
        guard let daemon = state.daemon, daemon.traits?.keepsHistory == true, let connection
        else { return [] }
        let call = BusCall.ofDaemon(
            daemon.owner,
            "NotificationListHistory",
            interface: "org.dunstproject.cmd0"
        )
        let limit = end - .now
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
