// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tidings
import TidingsLock

extension UserNotificationCenter {
    /// Returns the pending requests, the next one first.
    ///
    /// The result includes requests of other processes that share the store.
    public func pending() async -> [UserNotificationPendingRequest] {
        await started()
        // If the store fails, the last known schedule is the best answer.
        let known = try? await transact { _ in }
        return (known?.schedule ?? state.withLock(\.schedule)).pending(at: clock.moment)
    }

    /// Removes pending requests and returns when the change is stored.
    ///
    /// - Parameter identifiers: The identifiers to remove, or nil for all. Unknown ones are
    ///   ignored.
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
    /// Stores a request and returns the date of firing.
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
            scheduleChanged.raise()
            return date
        } catch {
            await attachmentStore?.remove(copies)
            throw error
        }
    }

    /// Removes a pending request that a request for now replaces.
    ///
    /// An unknown request may just have been scheduled by another process. The removal is then
    /// stored soon, so that a request for now does not wait for the disk.
    func removeScheduled(_ identifier: String) async throws(UserNotificationError) {
        guard state.withLock({ $0.schedule.contains(identifier) }) else {
            cancelScheduled([identifier])
            return
        }
        try await transact { _ = $0.schedule.remove([identifier]) }
    }

    /// Cancels pending requests of this and other processes, where nil means all.
    ///
    /// The requests stop firing now and are removed soon, or after the record is loaded.
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

    /// Removes notifications of other processes from the store, where nil means all.
    ///
    /// The next save removes notifications of this run.
    func removeListedByOthers(_ identifiers: Set<String>?) {
        let isFirst = state.withLock { state in
            // Until the record is loaded, the inbox defers the removal.
            state.isLoaded && state.removals.add(listed: identifiers)
        }
        if isFirst { storeRemovals() }
    }

    /// Stores all removals that exist when the store becomes free.
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

    /// Takes over changes of other processes to the record.
    ///
    /// Call this in the closure on the task queue that read the record, so that this run has not
    /// changed the record since.
    func share(_ record: NotificationRecord) {
        adopt(record.schedule)
        let (effects, isBadgeNew) = state.withLock { state in
            state.allow(record.allowed)
            return (state.inbox.share(record.delivered), state.inbox.adoptBadge(record.badge))
        }
        apply(effects, isSaved: true)
        if isBadgeNew { showBadge() }
    }

    /// Takes over the schedule, and wakes the scheduler if the program starts have changed.
    ///
    /// The next pass of the scheduler then passes the next start to the backend.
    private func adopt(_ schedule: NotificationSchedule) {
        let isOther = state.withLock { state in
            defer { state.schedule = schedule }
            return state.schedule.numbersOfStarts != schedule.numbersOfStarts
        }
        if isOther { scheduleChanged.raise() }
    }

    /// Changes the record in a turn of the task queue, and calls `stored` before the next turn.
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
    /// Adds the permissions in the store, where nil adds none.
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
