// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tidings

extension UserNotificationCenter {
    /// Returns the requests whose time has not come, the next first.
    ///
    /// Those of other processes of the program are among them.
    public func pending() async -> [PendingNotification] {
        await started()
        // Without the store, what it had last is the best that is known.
        let known = try? await transact { _ in }
        return (known?.schedule ?? state.withLock(\.schedule)).pending(at: clock.moment)
    }

    /// Forgets requests whose time has not come, and returns when that is on disk.
    ///
    /// - Parameter identifiers: Which; those that are not there are ignored.
    /// - Throws: ``UserNotificationError``: `.diskFull`, `.storeBusy` or `.storeFailed`.
    public func removePending(_ identifiers: [String]) async throws(UserNotificationError) {
        await started()
        let identifiers = Set(identifiers)
        try await transact { _ = $0.schedule.remove(identifiers) }
    }

    /// Forgets all requests whose time has not come, and returns when that is on disk.
    ///
    /// - Throws: ``UserNotificationError``: `.diskFull`, `.storeBusy` or `.storeFailed`.
    public func removeAllPending() async throws(UserNotificationError) {
        await started()
        try await transact { _ = $0.schedule.remove(nil) }
    }
}

extension UserNotificationCenter {
    /// Puts a request on disk, and returns when it fires.
    func schedule(_ request: UserNotificationRequest) async throws(UserNotificationError) -> Date {
        try await needStarted()
        let (kept, copies) = try await copied(request)
        let number = state.withLock { $0.inbox.reserveNumbers(1) }
        let moment = clock.moment
        do throws(UserNotificationError) {
            let date = try await transact { record in
                try record.schedule.add(kept, number: number, at: moment)
            }.result
            waker.poke()
            return date
        } catch {
            await vault?.remove(copies)
            throw error
        }
    }

    /// Forgets a request that waits, as another takes its place now.
    func makeRoom(for identifier: String) async throws(UserNotificationError) {
        let isWaiting = state.withLock { state in
            // Without knowing what waits: it goes as soon as that is known.
            if !state.isBegun { state.takenBackEarly.add([identifier]) }
            return state.schedule.contains(identifier)
        }
        guard isWaiting else { return }
        try await transact { _ = $0.schedule.remove([identifier]) }
    }

    /// Forgets requests soon, all without identifiers; none of them fires from now on.
    func takeBack(_ identifiers: Set<String>?) {
        let (attempt, isBegun) = state.withLock { state in
            guard state.isBegun else {
                state.takenBackEarly.add(identifiers)
                return (State.TakingBack?.none, false)
            }
            return (state.takeBack(identifiers), true)
        }
        if let attempt { forget(attempt) }
        if !isBegun { start() }
    }

    /// Forgets requests in the store, too.
    func forget(_ attempt: State.TakingBack) {
        ledger.enqueue { [self] in
            do {
                let schedule = try await change { record in
                    _ = record.schedule.remove(attempt.identifiers)
                    return record.schedule
                }
                state.withLock { $0.schedule = schedule }
            } catch {
                let error = UserNotificationError(storeError: error)
                messages.post(NotificationStoreFailed(error: error))
            }
            state.withLock { state in
                state.takenBack = state.takenBack.filter { $0.value != attempt.number }
            }
        }
    }

    /// Changes the record when it is this change's turn.
    @discardableResult
    func transact<Result: Sendable>(
        _ body: @escaping @Sendable (inout NotificationRecord) throws -> Result
    ) async throws(UserNotificationError) -> (result: Result, schedule: NotificationSchedule) {
        do {
            return try await ledger.run { [self] in
                try await needStarted()
                let done = try await change { record in
                    (result: try body(&record), schedule: record.schedule)
                }
                state.withLock { $0.schedule = done.schedule }
                return done
            }
        } catch {
            throw UserNotificationError(storeError: error)
        }
    }
}

extension UserNotificationCenter.State {
    /// An attempt to forget requests.
    struct TakingBack {
        let number: Int
        let identifiers: Set<String>
    }

    /// Notes what does not fire any more; nil if nothing of it waits.
    mutating func takeBack(_ identifiers: Set<String>?) -> TakingBack? {
        let known = schedule.identifiers
        let wanted = identifiers?.intersection(known) ?? known
        guard !wanted.isEmpty else { return nil }
        lastAttempt += 1
        for identifier in wanted { takenBack[identifier] = lastAttempt }
        return TakingBack(number: lastAttempt, identifiers: wanted)
    }
}

extension NotificationSchedule {
    var identifiers: Set<String> { Set(items.map(\.request.identifier)) }

    func contains(_ identifier: String) -> Bool {
        items.contains { $0.request.identifier == identifier }
    }
}
