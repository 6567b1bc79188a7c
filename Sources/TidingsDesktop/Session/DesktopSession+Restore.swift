// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
internal import TidingsUserNotifications

extension DesktopSession {
    /// Takes over the notifications of an earlier run that are still visible.
    ///
    /// One limit applies to the whole call, for any number of notifications.
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
            // Without a daemon nothing is visible, so none is started.
            case .available?: state.daemon == nil || state.daemon?.capabilities != nil
            }
        }
        let closed = await closedIDs(before: end)
        return await withTaskGroup { group in
            for one in shown {
                group.addTask { (one.notification.id, await self.claim(one, closed, before: end)) }
            }
            var handles: [NotificationDelivery: NotificationHandle] = [:]
            for await (delivery, handle) in group { handles[delivery] = handle }
            return handles
        }
    }

    /// Claims one notification and returns the new handle, or nil if the notification is gone.
    private func claim(
        _ one: ShownNotification,
        _ closed: Set<UInt32>,
        before end: ContinuousClock.Instant
    ) async -> NotificationHandle? {
        let result = await result(before: end) { ticket in
            let posting = DaemonState.Posting(
                notification: one.notification,
                ticket: ticket,
                isClaim: true
            )
            return state.claim([(posting, one.handle)], closed: closed)
        }
        guard case .accepted(_, let handle) = result else { return nil }
        return handle
    }

    /// Returns the IDs in the daemon's history, which are no longer shown.
    private func closedIDs(before end: ContinuousClock.Instant) async -> Set<UInt32> {
        guard let daemon = state.daemon, daemon.capabilities?.keepsHistory == true, let connection
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
                    let id = entry.asOptions?["id"]
                    return if case .int32(let number) = id { UInt32(exactly: number) } else {
                        id?.asUInt32
                    }
                }
                continuation.resume(returning: Set(numbers))
            }
        }
    }
}
#endif
