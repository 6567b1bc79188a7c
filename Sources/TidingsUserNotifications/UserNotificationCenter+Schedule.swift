// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tidings

extension UserNotificationCenter {
    /// Returns the requests whose time has not come, the next first.
    ///
    /// Those of other processes of the program are among them.
    public func pending() async -> [PendingNotification] {
        await begun()
        // Without the store, what it had last is the best that is known.
        let known = try? await transact { _ in }
        return (known?.schedule ?? state.withLock(\.schedule)).pending(at: clock.moment)
    }

    /// Forgets requests whose time has not come, and returns when that is on disk.
    ///
    /// - Parameter identifiers: Which; those that are not there are ignored.
    /// - Throws: ``UserNotificationError``: `.diskFull`, `.storeBusy` or `.storeFailed`.
    public func removePending(_ identifiers: [String]) async throws(UserNotificationError) {
        await begun()
        let identifiers = Set(identifiers)
        try await transact { _ = $0.schedule.remove(identifiers) }
    }

    /// Forgets all requests whose time has not come, and returns when that is on disk.
    ///
    /// - Throws: ``UserNotificationError``: `.diskFull`, `.storeBusy` or `.storeFailed`.
    public func removeAllPending() async throws(UserNotificationError) {
        await begun()
        try await transact { _ = $0.schedule.remove(nil) }
    }
}

extension UserNotificationCenter {
    /// Puts a request on disk, and returns when it fires.
    func schedule(_ request: UserNotificationRequest) async throws(UserNotificationError) -> Date {
        let number = state.withLock { $0.inbox.reserveNumbers(1) }
        let moment = clock.moment
        let date = try await transact { record in
            try record.schedule.add(request, number: number, at: moment)
        }.result
        waker.poke()
        return date
    }

    /// Forgets a request that waits, as another takes its place now.
    func makeRoom(for identifier: String) async throws(UserNotificationError) {
        guard state.withLock({ $0.schedule.contains(identifier) }) else { return }
        try await transact { _ = $0.schedule.remove([identifier]) }
    }

    /// Forgets requests soon, all without identifiers; none of them fires from now on.
    func takeBack(_ identifiers: Set<String>?) {
        let attempt = state.withLock { state -> (Int, Set<String>)? in
            let isBegun = state.beginning != nil
            let known = state.schedule.identifiers
            let wanted = identifiers.map { isBegun ? $0.intersection(known) : $0 } ?? known
            guard !wanted.isEmpty else { return nil }
            state.lastAttempt += 1
            for identifier in wanted { state.takenBack[identifier] = state.lastAttempt }
            return (state.lastAttempt, wanted)
        }
        guard let (number, wanted) = attempt else { return }
        ledger.enqueue { [self] in
            await begun()
            await forget(wanted)
            state.withLock { state in
                state.takenBack = state.takenBack.filter { $0.value != number }
            }
        }
    }

    private func forget(_ identifiers: Set<String>) async {
        do {
            let schedule = try await store.update { record in
                _ = record.schedule.remove(identifiers)
                return record.schedule
            }
            state.withLock { $0.schedule = schedule }
        } catch {
            messages.post(NotificationStoreFailed(error: UserNotificationError(storeError: error)))
        }
    }

    /// Changes the record when it is this change's turn.
    @discardableResult
    private func transact<Result: Sendable>(
        _ body: @escaping @Sendable (inout NotificationRecord) throws -> Result
    ) async throws(UserNotificationError) -> (result: Result, schedule: NotificationSchedule) {
        do {
            return try await ledger.run { [self] in
                let done = try await store.update { record in
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

extension UserNotificationCenter {
    private struct Round: Sendable {
        let due: [NotificationSchedule.Due]
        let lost: [DeliveredNotification]
        let schedule: NotificationSchedule
    }

    /// Begins to send what is due, for as long as the center lives.
    func drive() {
        let driver = Task { [weak self, clock, waker] in
            var isStart = true
            while !Task.isCancelled {
                guard let next = await self?.send(isStart: isStart) else { return }
                isStart = false
                await waker.sleep(until: next, on: clock)
            }
        }
        state.withLock { $0.driver = driver }
    }

    /// Sends what is due, and returns when to come again.
    private func send(isStart: Bool) async -> Date {
        let moment = clock.moment
        let later = moment.date.addingTimeInterval(Waker.tick / .seconds(1))
        do {
            let round = try await ledger.run { [self] in
                let round = try await nextRound(at: moment, isStart: isStart)
                let isAllowed = await isAllowed()
                for due in round.due { fire(due, isAllowed: isAllowed) }
                let listed = state.withLock { state in
                    state.schedule = round.schedule
                    return state.inbox.add(round.lost, isKnown: true)
                }
                conclude(listed)
                return round
            }
            return round.schedule.nextDate(at: moment) ?? later
        } catch {
            messages.post(NotificationStoreFailed(error: UserNotificationError(storeError: error)))
            return later
        }
    }

    /// Takes on disk what is due, before any of it is sent.
    private func nextRound(at moment: NotificationMoment, isStart: Bool) async throws -> Round {
        let owner = owner
        let number = state.withLock { $0.inbox.reserveNumbers(NotificationSchedule.limit) }
        return try await store.update { record in
            let found = record.schedule.recover(for: owner, isAlive: Runs.isAlive)
            let known = Set(record.delivered.compactMap(\.scheduleNumber))
            let lost = found.lost.filter { !known.contains($0.number) }.enumerated().map {
                $1.listed(number: number + $0, owner: owner, at: moment.date)
            }
            record.delivered += lost
            let due = record.schedule.claim(for: owner, at: moment, isStart: isStart)
            return Round(due: found.again + due, lost: lost, schedule: record.schedule)
        }
    }

    /// Whether the person still wants what was allowed when it was requested.
    private func isAllowed() async -> Bool {
        (try? await desk.status()) != .denied
    }

    private func fire(_ due: NotificationSchedule.Due, isAllowed: Bool) {
        let promise = OutcomePromise()
        limits.add(promise)
        let aftermath = state.withLock { state -> Inbox.Aftermath? in
            guard isAllowed, state.takenBack[due.request.identifier] == nil else { return nil }
            return state.inbox.post(
                due.request,
                promise,
                isOverdue: due.isOverdue,
                scheduleNumber: due.number
            )
        }
        if let aftermath { conclude(aftermath) } else { promise.settle(.replaced) }
        Task {
            _ = await promise.value
            _ = try? await transact { $0.schedule.finish(due.number) }
            waker.poke()
        }
    }
}

extension NotificationSchedule {
    var identifiers: Set<String> { Set(items.map(\.request.identifier)) }

    func contains(_ identifier: String) -> Bool {
        items.contains { $0.request.identifier == identifier }
    }
}

extension NotificationSchedule.Due {
    /// As it is listed when nobody knows whether it was shown.
    fileprivate func listed(number: Int, owner: String, at date: Date) -> DeliveredNotification {
        let notification = UserNotification(
            id: NotificationDelivery(identifier: request.identifier, number: number),
            content: request.content,
            date: date,
            presentation: [],
            isOverdue: true
        )
        return DeliveredNotification(
            notification: notification,
            isShown: false,
            owner: owner,
            scheduleNumber: self.number
        )
    }
}
