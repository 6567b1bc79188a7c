// SPDX-License-Identifier: Apache-2.0
import Tidings
import TidingsLock

extension UserNotificationCenter {
    /// Writes the delivered notifications to the store, the newest state last.
    func save() {
        guard state.withLock({ $0.saves.begin() }) else { return }
        taskQueue.enqueue { [self] in
            guard (try? await ensureStarted()) != nil else {
                // The changes are written after a start has loaded the record.
                return state.withLock { $0.saves.end() }
            }
            while let next = state.withLock({ $0.nextSave() }) { await write(next) }
        }
    }

    /// Waits until all changes so far are in the store.
    ///
    /// Call this before the program exits, or the last changes may be lost. The call waits for the
    /// disk but not for the backend, and starts the center if necessary. The center posts
    /// ``UserNotificationStoreFailed`` if a write fails.
    ///
    /// ```swift
    /// notifications.markRead()
    /// await notifications.flush()
    /// exit(0)
    /// ```
    public func flush() async {
        guard (try? await ensureStarted()) != nil else { return }
        if state.withLock(\.removals.isWaiting) { storeRemovals() }
        // Writes that have already started come first on the task queue.
        _ = try? await taskQueue.run { [self] in
            await write(state.withLock { $0.drainChanges() })
        }
    }

    private func write(_ changes: UnsavedChanges) async {
        do {
            try await change { changes.apply(to: &$0) }
        } catch {
            state.withLock { state in
                state.inbox.restoreChanges(changes)
                state.needsSave = true
            }
            messages.post(
                UserNotificationStoreFailed(error: UserNotificationError(storeError: error))
            )
        }
    }
}

extension UserNotificationCenter.State {
    /// Returns the changes to write next, or nil if all are saved.
    fileprivate mutating func nextSave() -> UnsavedChanges? {
        saves.next() ? drainChanges() : nil
    }

    fileprivate mutating func drainChanges() -> UnsavedChanges {
        needsSave = false
        return UnsavedChanges(
            list: inbox.list.drainChanges(),
            badge: inbox.drainBadge(),
            allowed: allowed,
            limit: inbox.limit,
            owner: inbox.owner
        )
    }
}
