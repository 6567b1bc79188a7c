// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tidings
import TidingsLock

extension UserNotificationCenter {
    private struct DueBatch: Sendable {
        let due: [NotificationSchedule.DueRequest]
        let lost: [DeliveredNotification]
        /// Listed notifications that the user may not have seen.
        let uncertain: Set<NotificationDelivery>
        /// The record after the claims.
        let record: NotificationRecord
    }

    /// The result of one pass of the scheduler.
    private struct Pass {
        /// The next date at which a request is due, if the clock is not set.
        var next: Date?
        /// The time after which the next pass starts in any case.
        var limit = NotificationSchedule.longestWait
        /// The date at which the system has to start the closed program, or nil for never.
        var programStart: Date?
        /// Whether the schedule could be read.
        var isDone = false
    }

    /// Starts to send due requests, until the center is released.
    func startScheduler() {
        let scheduler = Task { [weak self, backend, clock, scheduleChanged] in
            var isStart = true
            var programStart: Date?
            while !Task.isCancelled {
                guard let pass = await self?.send(isStart: isStart) else { return }
                if pass.isDone { isStart = false }
                if pass.isDone, pass.programStart != programStart {
                    programStart = pass.programStart
                    await backend.setProgramStart(programStart)
                }
                await scheduleChanged.wait(until: pass.limit) { limit in
                    try await clock.sleep(until: pass.next, atMost: limit)
                }
            }
        }
        state.withLock { $0.scheduler = scheduler }
    }

    /// Sends the due requests.
    private func send(isStart: Bool) async -> Pass {
        let moment = clock.moment
        // The error is already posted, and the next pass retries.
        guard (try? await ensureStarted()) != nil else { return Pass() }
        if state.withLock(\.needsSave) { save() }
        if state.withLock(\.removals.isWaiting) { storeRemovals() }
        do {
            let batch = try await taskQueue.run { [self] in
                let mark = authorizationPrompt.mark()
                let batch = try await claimDue(at: moment, isStart: isStart)
                authorizationPrompt.adopt(batch.record.authorization, asOf: mark)
                let isAllowed = await isAllowed()
                for due in batch.due { fire(due, isAllowed: isAllowed) }
                share(batch.record)
                let listed = state.withLock { state in
                    let isMarked = state.inbox.markOverdue(batch.uncertain)
                    var effects = state.inbox.add(batch.lost, isStored: true)
                    effects.isListChanged = effects.isListChanged || isMarked
                    return effects
                }
                apply(listed)
                return batch
            }
            let (schedule, end) = (batch.record.schedule, clock.moment)
            return Pass(
                next: schedule.nextDate(at: end),
                limit: schedule.longestWait(of: owner, at: end),
                programStart: schedule.programStart(at: end),
                isDone: true
            )
        } catch {
            messages.post(
                UserNotificationStoreFailed(error: UserNotificationError(storeError: error))
            )
            return Pass()
        }
    }

    /// Claims all due requests in the store before sending any.
    private func claimDue(at moment: NotificationMoment, isStart: Bool) async throws -> DueBatch {
        let owner = owner
        let (first, number) = state.withLock { state in
            (state.inbox.firstNumber, state.inbox.reserveNumbers(NotificationSchedule.limit))
        }
        let unfinished = state.withLock(\.unfinished)
        let batch = try await change { record in
            for number in unfinished { record.schedule.finish(number) }
            let found = record.schedule.recover(for: owner, isAlive: RunRegistry.isAlive)
            let listed = record.list(found.lost, as: owner, from: number, at: moment.date)
            let due = record.schedule.claim(
                for: owner,
                at: moment,
                isStart: isStart,
                ownFrom: first
            )
            return DueBatch(
                due: found.resend + due,
                lost: listed.lost,
                uncertain: listed.uncertain,
                record: record
            )
        }
        state.withLock { $0.unfinished.subtract(unfinished) }
        return batch
    }

    /// Releases the claim of a sent request.
    ///
    /// If the change cannot be stored, a later pass releases the claim.
    private func finish(_ number: Int) async {
        do {
            try await transact { $0.schedule.finish(number) }
        } catch {
            state.withLock { _ = $0.unfinished.insert(number) }
            messages.post(UserNotificationStoreFailed(error: error))
        }
    }

    /// Returns whether the user has not denied notifications since the request was added.
    private func isAllowed() async -> Bool {
        (try? await authorizationPrompt.status()) != .denied
    }

    private func fire(_ due: NotificationSchedule.DueRequest, isAllowed: Bool) {
        let promise = OutcomePromise()
        timeouts.add(promise)
        attachmentStore?.retain(attachmentStore?.names(in: due.request.content.attachments) ?? [])
        let effects = state.withLock { state -> Inbox.Effects? in
            guard isAllowed, !state.removals.containsPending(due.request.identifier) else {
                return nil
            }
            return state.inbox.post(
                due.request,
                promise,
                isOverdue: due.isOverdue,
                scheduleNumber: due.number
            )
        }
        if let effects { apply(effects) } else { promise.settle(.replaced) }
        Task {
            _ = await promise.value
            await finish(due.number)
            scheduleChanged.raise()
        }
    }
}
