// SPDX-License-Identifier: Apache-2.0
import Tidings

extension UserNotificationCenter {
    /// Takes up what earlier runs have left: what was delivered, what can still be seen, and what
    /// has become due.
    ///
    /// Call it when categories, ``willPresent`` and the handlers of responses are set. Without it
    /// the first request or the first look at what is allowed does the same. It does not wait, as
    /// ``started()`` does; ``DeliveredNotificationsChanged`` tells what is listed then.
    ///
    /// When the store cannot be changed now, ``NotificationStoreFailed`` tells, and it is tried again
    /// at the next need, at the latest within a minute. Until then nothing of it is listed, and what
    /// is done meanwhile is written when that has worked.
    public func start() {
        _ = beginning()
    }

    /// Starts, unless that has happened, and waits until what earlier runs have left is listed.
    ///
    /// When it could not be listed at the first attempt, this does not wait for another:
    /// ``NotificationStoreFailed`` has told why, and ``DeliveredNotificationsChanged`` tells when it
    /// is listed after all.
    ///
    /// ```swift
    /// await center.started()
    /// show(center.delivered())
    /// ```
    public func started() async {
        let (attempt, isFirst) = beginning()
        if isFirst { _ = await attempt.value }
    }

    /// Waits until what earlier runs have left is listed.
    ///
    /// - Throws: Why the store could not be changed; the next call tries again.
    func needStarted() async throws(UserNotificationError) {
        if let failure = await beginning().attempt.value { throw failure }
    }

    private func beginning() -> (attempt: Task<UserNotificationError?, Never>, isFirst: Bool) {
        state.withLock { state in
            let isFirst = state.beginFailure == nil
            if let attempt = state.beginning { return (attempt, isFirst) }
            let attempt = Task { await begin() }
            state.beginning = attempt
            return (attempt, isFirst)
        }
    }

    private func begin() async -> UserNotificationError? {
        let failure = await takeUp()
        let date = clock.date
        let isDriven = state.withLock { state in
            state.beginFailure = failure
            if failure != nil {
                state.beginning = nil
                // What is posted meanwhile is newer than what any earlier run has left.
                state.inbox.numberFrom(date)
            }
            defer { state.isDriven = true }
            return state.isDriven
        }
        if let failure { messages.post(NotificationStoreFailed(error: failure)) }
        guard isDriven else {
            Task {
                if presence.noteFirst(await backend.availability()) { tellStatus() }
            }
            drive()
            return failure
        }
        if failure == nil {
            save()
            waker.poke()
        }
        return failure
    }

    /// Takes up what earlier runs have left, and returns why if that does not work.
    private func takeUp() async -> UserNotificationError? {
        let (early, lastNumber) = state.withLock { state in
            defer { state.takenBackEarly = Removals() }
            return (state.takenBackEarly, state.inbox.lastNumber)
        }
        do {
            let (record, ended) = try await store.update { [owner, vault] record in
                record.runs = max(record.runs, record.lastNumber >> 32, lastNumber >> 32) + 1
                if !early.isEmpty { _ = record.schedule.remove(early.identifiers) }
                if let vault {
                    let named = vault.names(in: record.attachments)
                    vault.removeOrphans(exceptFor: named, isAlive: Runs.isAlive)
                }
                // As it was left: what is taken over is told from the rest by its owner.
                let left = record
                return (left, record.takeOver(for: owner, isAlive: Runs.isAlive))
            }
            adopt(record, of: ended)
            return nil
        } catch {
            state.withLock { $0.takenBackEarly.add(early.identifiers) }
            return UserNotificationError(storeError: error)
        }
    }

    private func adopt(_ record: NotificationRecord, of ended: Set<String>) {
        let (adopted, badge, late) = state.withLock { state in
            if state.allowed == nil { state.allowed = record.allowed }
            state.schedule = record.schedule
            let isBadgeNew = !state.inbox.isBadgeSet && record.badge != 0
            if isBadgeNew { state.inbox.setBadge(record.badge) }
            let adopted = state.inbox.adopt(record, run: record.runs) { !ended.contains($0) }
            state.isBegun = true
            let late = state.takenBackEarly
            return (adopted, isBadgeNew, late.isEmpty ? nil : state.takeBack(late.identifiers))
        }
        if !adopted.shown.isEmpty {
            let restoring = Task { await restore(adopted.shown) }
            state.withLock { $0.restoring = restoring }
        }
        if badge { showBadge() }
        conclude(adopted.aftermath)
        if let late { forget(late) }
    }

    private func restore(_ shown: [ShownNotification]) async {
        let handles = await backend.restore(shown)
        let gone = state.withLock { $0.inbox.restore(shown, handles) }
        for notification in gone { tellEnd(of: notification, .unknown) }
        save()
    }
}

extension NotificationRecord {
    /// The highest number that anything has.
    fileprivate var lastNumber: Int {
        max(schedule.lastNumber, delivered.map(\.notification.id.number).max() ?? 0)
    }

    /// Takes what ended runs have left, so that no other run takes it, too.
    ///
    /// - Parameters:
    ///   - owner: Whose it is from now on.
    ///   - isAlive: Whether an owner still runs.
    /// - Returns: The owners of what was taken.
    fileprivate mutating func takeOver(
        for owner: String,
        isAlive: (String) -> Bool
    ) -> Set<String> {
        let ended = Set(delivered.map(\.owner)).filter { !isAlive($0) }
        for index in delivered.indices where ended.contains(delivered[index].owner) {
            delivered[index].owner = owner
        }
        return ended
    }
}
