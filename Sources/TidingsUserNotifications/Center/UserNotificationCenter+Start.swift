// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tidings
import TidingsLock

extension UserNotificationCenter {
    /// Loads the delivered notifications and due requests of earlier runs, and restores visible
    /// notifications.
    ///
    /// Call this after you set categories, ``willPresent`` and the response handlers. Otherwise the
    /// first call that needs the store, such as ``add(_:)`` or ``pending()``, starts the center.
    /// This does not wait. Use ``started()`` to wait. The center posts
    /// ``UserNotificationListChanged`` when the list is loaded.
    ///
    /// If the store cannot be changed, the center posts ``UserNotificationStoreFailed`` and retries
    /// with the next call that needs the store, within a minute at the latest. Until then the list
    /// holds nothing of earlier runs, and changes are written after the start succeeds.
    public func start() {
        _ = startAttempt()
    }

    /// Starts the center if necessary and waits until notifications of earlier runs are listed.
    ///
    /// If the first attempt fails, this does not wait for the next one. The center then posts
    /// ``UserNotificationStoreFailed``, and ``UserNotificationListChanged`` when a later attempt
    /// succeeds.
    ///
    /// ```swift
    /// await center.started()
    /// show(center.delivered())
    /// ```
    public func started() async {
        let (attempt, isFirst) = startAttempt()
        if isFirst { _ = await attempt.value }
    }

    /// Waits until notifications of earlier runs are listed.
    ///
    /// - Throws: The reason why the store could not be changed. The next call retries.
    func ensureStarted() async throws(UserNotificationError) {
        if let failure = await startAttempt().attempt.value { throw failure }
    }

    private func startAttempt() -> (attempt: Task<UserNotificationError?, Never>, isFirst: Bool) {
        state.withLock { state in
            let isFirst = state.startFailure == nil
            if let attempt = state.startTask { return (attempt, isFirst) }
            let attempt = Task { await performStart() }
            state.startTask = attempt
            return (attempt, isFirst)
        }
    }

    private func performStart() async -> UserNotificationError? {
        let failure = await loadRecord()
        let date = clock.date
        let isSchedulerStarted = state.withLock { state in
            state.startFailure = failure
            if failure != nil {
                state.startTask = nil
                // Requests posted before the next attempt are newer than any notification of an
                // earlier run.
                state.inbox.startNumbers(at: date)
            }
            defer { state.isSchedulerStarted = true }
            return state.isSchedulerStarted
        }
        if let failure { messages.post(UserNotificationStoreFailed(error: failure)) }
        guard isSchedulerStarted else {
            Task {
                if backendAvailability.setInitial(await backend.availability()) { postStatus() }
            }
            startScheduler()
            return failure
        }
        if failure == nil {
            save()
            scheduleChanged.raise()
        }
        return failure
    }

    /// Loads the record of earlier runs, and returns the error if loading fails.
    private func loadRecord() async -> UserNotificationError? {
        let (deferred, lastNumber) = state.withLock { state in
            defer { state.deferredCancellations = DeferredRemovals() }
            return (state.deferredCancellations, state.inbox.lastNumber)
        }
        let identity = UUID().uuidString
        do {
            let (record, endedRuns) = try await store.update { [owner, attachmentStore] record in
                record.runs = max(record.runs, record.lastNumber >> 32, lastNumber >> 32) + 1
                record.identity = record.identity ?? identity
                if !deferred.isEmpty { _ = record.schedule.remove(deferred.identifiers) }
                if let attachmentStore {
                    let named = attachmentStore.names(in: record.attachments)
                    attachmentStore.removeOrphans(exceptFor: named, isAlive: RunRegistry.isAlive)
                }
                // A copy from before the takeover, because the owners in this copy identify the
                // ended runs.
                let left = record
                return (left, record.takeOver(for: owner, isAlive: RunRegistry.isAlive))
            }
            introduce(store: record.identity)
            adopt(record, of: endedRuns)
            return nil
        } catch {
            state.withLock { $0.deferredCancellations.add(deferred.identifiers) }
            return UserNotificationError(storeError: error)
        }
    }

    /// Sets the program and the store whose notifications the backend shows.
    ///
    /// - Parameter store: The identity of the store, or nil while unknown. The name of this run
    ///   then stands in.
    func introduce(store: String?) {
        var sender = application
        sender.store = store ?? owner
        backend.introduce(sender)
    }

    private func adopt(_ record: NotificationRecord, of endedRuns: Set<String>) {
        let (adopted, badge, isLate) = state.withLock { state in
            state.allow(record.allowed)
            state.schedule = record.schedule
            state.identity = record.identity
            let isBadgeNew = state.inbox.adoptBadge(record.badge)
            let adopted = state.inbox.adopt(record, run: record.runs) { !endedRuns.contains($0) }
            state.isLoaded = true
            let late = state.deferredCancellations
            return (adopted, isBadgeNew, state.removals.add(pending: late.identifiers))
        }
        if !adopted.shown.isEmpty {
            let restoring = Task { await restore(adopted.shown) }
            state.withLock { $0.restoring = restoring }
        }
        if badge { showBadge() }
        apply(adopted.effects)
        if isLate { storeRemovals() }
    }

    private func restore(_ shown: [ShownNotification]) async {
        let handles = await backend.restore(shown)
        let gone = state.withLock { $0.inbox.restore(shown, handles) }
        for notification in gone { postEnd(of: notification, .unknown) }
        save()
    }
}

extension NotificationRecord {
    /// The highest number of a scheduled request or a delivered notification.
    fileprivate var lastNumber: Int {
        max(schedule.lastNumber, delivered.map(\.notification.id.number).max() ?? 0)
    }

    /// Takes over the entries of ended runs, so that no other run does.
    ///
    /// - Parameters:
    ///   - owner: The name of the run that owns the entries from now on.
    ///   - isAlive: Whether the run with a name is alive.
    /// - Returns: The names of the ended runs.
    fileprivate mutating func takeOver(
        for owner: String,
        isAlive: (String) -> Bool
    ) -> Set<String> {
        let endedRuns = Set(delivered.map(\.owner)).filter { !isAlive($0) }
        for index in delivered.indices where endedRuns.contains(delivered[index].owner) {
            delivered[index].owner = owner
        }
        return endedRuns
    }
}
