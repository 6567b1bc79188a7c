// SPDX-License-Identifier: Apache-2.0
import Tidings

extension UserNotificationCenter {
    /// Writes what is delivered to the store, the newest last.
    func save() {
        guard state.withLock({ $0.saving.enter() }) else { return }
        ledger.enqueue { [self] in
            guard (try? await needStarted()) != nil else {
                // It is written when it is known to what it is added.
                return state.withLock { $0.saving.leave() }
            }
            while let next = state.withLock({ $0.nextSave() }) { await write(next) }
        }
    }

    /// Waits until what was delivered, read, removed and set so far is in the store.
    ///
    /// Call it before the program ends, or what it did last may be forgotten. It waits for the
    /// disk and for nobody who shows notifications; what cannot be written is told as
    /// ``NotificationStoreFailed``, as always. A center that was not started starts.
    ///
    /// ```swift
    /// notifications.markRead()
    /// await notifications.flush()
    /// exit(0)
    /// ```
    public func flush() async {
        guard (try? await needStarted()) != nil else { return }
        // What is being written by turns is before this in the ledger.
        _ = try? await ledger.run { [self] in
            await write(state.withLock { $0.takeChange() })
        }
    }

    private func write(_ news: DeliveredChange) async {
        do {
            try await change { news.apply(to: &$0) }
        } catch {
            state.withLock { state in
                state.inbox.list.untake(news.list)
                state.isUnsaved = true
            }
            messages.post(NotificationStoreFailed(error: UserNotificationError(storeError: error)))
        }
    }
}

extension UserNotificationCenter.State {
    /// Takes what is to be saved next; nil when all is.
    fileprivate mutating func nextSave() -> DeliveredChange? {
        saving.next() ? takeChange() : nil
    }

    fileprivate mutating func takeChange() -> DeliveredChange {
        isUnsaved = false
        return DeliveredChange(
            list: inbox.list.takeChanges(),
            badge: inbox.badge,
            allowed: allowed,
            limit: inbox.limit
        )
    }
}
