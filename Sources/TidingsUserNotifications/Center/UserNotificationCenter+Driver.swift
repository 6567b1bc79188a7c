// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tidings

extension UserNotificationCenter {
    private struct Round: Sendable {
        let due: [NotificationSchedule.Due]
        let lost: [DeliveredNotification]
        /// What is listed already, and of which nobody knows whether it was seen.
        let doubtful: Set<NotificationDelivery>
        let schedule: NotificationSchedule
    }

    /// Begins to send what is due, for as long as the center lives.
    func drive() {
        let driver = Task { [weak self, clock, waker] in
            var isStart = true
            while !Task.isCancelled {
                guard let sent = await self?.send(isStart: isStart) else { return }
                if sent.isDone { isStart = false }
                await waker.sleep(until: sent.next, on: clock)
            }
        }
        state.withLock { $0.driver = driver }
    }

    /// Sends what is due, and returns when to come again, and whether it could be looked at.
    private func send(isStart: Bool) async -> (next: Date, isDone: Bool) {
        let moment = clock.moment
        let later = moment.date.addingTimeInterval(Waker.tick / .seconds(1))
        // Told already; the next tick tries again.
        guard (try? await needStarted()) != nil else { return (later, false) }
        if state.withLock(\.isUnsaved) { save() }
        do {
            let round = try await ledger.run { [self] in
                let round = try await nextRound(at: moment, isStart: isStart)
                let isAllowed = await isAllowed()
                for due in round.due { fire(due, isAllowed: isAllowed) }
                let listed = state.withLock { state in
                    state.schedule = round.schedule
                    let isMarked = state.inbox.markOverdue(round.doubtful)
                    var aftermath = state.inbox.add(round.lost, isKnown: true)
                    aftermath.isListChanged = aftermath.isListChanged || isMarked
                    return aftermath
                }
                conclude(listed)
                return round
            }
            return (round.schedule.nextDate(at: moment) ?? later, true)
        } catch {
            messages.post(NotificationStoreFailed(error: UserNotificationError(storeError: error)))
            return (later, false)
        }
    }

    /// Takes on disk what is due, before any of it is sent.
    private func nextRound(at moment: NotificationMoment, isStart: Bool) async throws -> Round {
        let owner = owner
        let (first, number) = state.withLock { state in
            (state.inbox.firstNumber, state.inbox.reserveNumbers(NotificationSchedule.limit))
        }
        let unfinished = state.withLock(\.unfinished)
        let round = try await change { record in
            for number in unfinished { record.schedule.finish(number) }
            let found = record.schedule.recover(for: owner, isAlive: Runs.isAlive)
            let listed = record.list(found.lost, as: owner, from: number, at: moment.date)
            let due = record.schedule.claim(
                for: owner,
                at: moment,
                isStart: isStart,
                ownFrom: first
            )
            return Round(
                due: found.again + due,
                lost: listed.lost,
                doubtful: listed.doubtful,
                schedule: record.schedule
            )
        }
        state.withLock { $0.unfinished.subtract(unfinished) }
        return round
    }

    /// Lets go of what was sent; what the disk has no room for is let go by a later round.
    private func finish(_ number: Int) async {
        do {
            try await transact { $0.schedule.finish(number) }
        } catch {
            state.withLock { _ = $0.unfinished.insert(number) }
            messages.post(NotificationStoreFailed(error: error))
        }
    }

    /// Whether the person still wants what was allowed when it was requested.
    private func isAllowed() async -> Bool {
        (try? await desk.status()) != .denied
    }

    private func fire(_ due: NotificationSchedule.Due, isAllowed: Bool) {
        let promise = OutcomePromise()
        limits.add(promise)
        vault?.settle(vault?.names(in: due.request.content.attachments) ?? [])
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
            await finish(due.number)
            waker.poke()
        }
    }
}
