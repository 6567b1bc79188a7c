// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tidings
import TidingsLock

extension UserNotificationCenter {
    /// Returns the pending requests, the next one first.
    ///
    /// They include the requests of other processes that share the store.
    public func pending() async -> [UserNotificationPendingRequest] {
        await started()
        // If the store fails, the last known schedule is the best answer.
        let known = try? await transact { _ in }
        return (known?.schedule ?? state.withLock(\.schedule)).pending(at: clock.moment)
    }

    /// Removes pending requests and returns when the change is stored.
    ///
    /// - Parameter identifiers: The identifiers to remove; unknown ones are ignored. Nil for all.
    /// - Throws: ``UserNotificationError``: `.diskFull`, `.storeBusy` or `.storeFailed`.
    public func removePending(
        _ identifiers: [String]? = nil
    ) async throws(UserNotificationError) {
        await started()
        let identifiers = identifiers.map { Set($0) }
        try await transact { _ = $0.schedule.remove(identifiers) }
    }
}

extension UserNotificationCenter {
    /// Stores a request and returns the date at which it fires.
    func schedule(_ request: UserNotificationRequest) async throws(UserNotificationError) -> Date {
        try await ensureStarted()
        let (stored, copies) = try await copyFiles(of: request)
        let number = state.withLock { $0.inbox.reserveNumbers(1) }
        let moment = clock.moment
        do throws(UserNotificationError) {
            let date = try await transact { record in
                try record.schedule.add(stored, number: number, at: moment)
            } stored: { state in
                state.removals.forget(request.identifier)
            }
            .result
            sleepTimer.wake()
            return date
        } catch {
            await attachmentStore?.remove(copies)
            throw error
        }
    }

    /// Removes a pending request that a request for now replaces.
    ///
    /// If it is not known here, another process may just have scheduled it. It is then removed
    /// soon, so that a request for now does not wait for the disk.
    func removeScheduled(_ identifier: String) async throws(UserNotificationError) {
        guard state.withLock({ $0.schedule.contains(identifier) }) else {
            cancelScheduled([identifier])
            return
        }
        try await transact { _ = $0.schedule.remove([identifier]) }
    }

    /// Cancels pending requests, also those of other processes; nil means all.
    ///
    /// They stop firing now and are removed soon. If the record is not loaded yet, they are removed
    /// when it is.
    func cancelScheduled(_ identifiers: Set<String>?) {
        let isFirst = state.withLock { state in
            guard state.isLoaded else {
                state.deferredCancellations.add(identifiers)
                return false
            }
            return state.removals.add(pending: identifiers)
        }
        if isFirst { storeRemovals() }
    }

    /// Removes notifications of other processes from the store; nil means all.
    ///
    /// Those of this run are removed with the next save.
    func removeListedByOthers(_ identifiers: Set<String>?) {
        let isFirst = state.withLock { state in
            // Before that, the removal is deferred until the record is loaded.
            state.isLoaded && state.removals.add(listed: identifiers)
        }
        if isFirst { storeRemovals() }
    }

    /// Stores all removals of this moment and of those until the store is free.
    func storeRemovals() {
        taskQueue.enqueue { [self, owner] in
            let batch = state.withLock { $0.removals.nextBatch() }
            do {
                let record = try await change { record in
                    _ = record.schedule.remove(batch.pending.identifiers)
                    record.delivered.removeAll { entry in
                        entry.owner != owner && batch.listed.contains(entry.notification.identifier)
                    }
                    return record
                }
                share(record)
                state.withLock { $0.removals.finish(batch) }
            } catch {
                // The next pass of the scheduler tries again.
                state.withLock { $0.removals.restore(batch, known: $0.schedule.identifiers) }
                let error = UserNotificationError(storeError: error)
                messages.post(UserNotificationStoreFailed(error: error))
            }
        }
    }

    /// Takes over what other processes have changed in the record.
    ///
    /// Call it in the closure on the task queue that read the record, so that this run has not
    /// changed it since.
    func share(_ record: NotificationRecord) {
        adopt(record.schedule)
        let (effects, isBadgeNew) = state.withLock { state in
            state.allow(record.allowed)
            return (state.inbox.share(record.delivered), state.inbox.adoptBadge(record.badge))
        }
        apply(effects, isSaved: true)
        if isBadgeNew { showBadge() }
    }

    /// Takes over the schedule; the next pass tells the backend when the program has to start.
    private func adopt(_ schedule: NotificationSchedule) {
        let isOther = state.withLock { state in
            defer { state.schedule = schedule }
            return state.schedule.numbersOfStarts != schedule.numbersOfStarts
        }
        if isOther { sleepTimer.wake() }
    }

    /// Changes the record in its turn on the task queue; `stored` runs before the next turn.
    @discardableResult
    func transact<Result: Sendable>(
        _ body: @escaping @Sendable (inout NotificationRecord) throws -> Result,
        stored: @escaping @Sendable (inout State) -> Void = { _ in }
    ) async throws(UserNotificationError) -> (result: Result, schedule: NotificationSchedule) {
        do {
            return try await taskQueue.run { [self] in
                try await ensureStarted()
                let done = try await change { record in
                    (result: try body(&record), schedule: record.schedule)
                }
                adopt(done.schedule)
                state.withLock { stored(&$0) }
                return done
            }
        } catch {
            throw UserNotificationError(storeError: error)
        }
    }
}

extension UserNotificationCenter.State {
    /// Adds the permissions in the store; nil adds none.
    mutating func allow(_ stored: UserNotificationAuthorizationOptions?) {
        if let stored { allowed = (allowed ?? []).union(stored) }
    }
}

extension NotificationSchedule {
    var identifiers: Set<String> { Set(items.map(\.request.identifier)) }

    func contains(_ identifier: String) -> Bool {
        items.contains { $0.request.identifier == identifier }
    }
}
