// SPDX-License-Identifier: Apache-2.0
import Tidings

extension UserNotificationCenter {
    /// Takes up what earlier runs have left: what was delivered, what can still be seen, and what
    /// has become due.
    ///
    /// Call it when categories, ``willPresent`` and the handlers of responses are set. Without it
    /// the first request or the first look at what is allowed does the same. It does not wait;
    /// ``DeliveredNotificationsChanged`` tells what is listed then.
    public func start() {
        _ = beginning()
    }

    /// Waits until what earlier runs have left is listed.
    func begun() async {
        await beginning().value
    }

    private func beginning() -> Task<Void, Never> {
        state.withLock { state in
            if let beginning = state.beginning { return beginning }
            let beginning = Task { await begin() }
            state.beginning = beginning
            return beginning
        }
    }

    private func begin() async {
        do {
            let (record, ended) = try await store.update { [owner, vault] record in
                record.runs += 1
                if let vault {
                    let named = vault.names(in: record.attachments)
                    vault.removeOrphans(exceptFor: named, isAlive: Runs.isAlive)
                }
                // As it was left: what is taken over is told from the rest by its owner.
                let left = record
                return (left, record.takeOver(for: owner, isAlive: Runs.isAlive))
            }
            adopt(record, of: ended)
        } catch {
            state.withLock { $0.inbox.removedEarly = nil }
            messages.post(NotificationStoreFailed(error: UserNotificationError(storeError: error)))
        }
        Task {
            if presence.noteFirst(await backend.availability()) { tellStatus() }
        }
        drive()
    }

    private func adopt(_ record: NotificationRecord, of ended: Set<String>) {
        let (adopted, badge) = state.withLock { state in
            if state.allowed == nil { state.allowed = record.allowed }
            state.schedule = record.schedule
            let isBadgeNew = state.inbox.badge == 0 && record.badge != 0
            if isBadgeNew { state.inbox.setBadge(record.badge) }
            let adopted = state.inbox.adopt(record, run: record.runs) { !ended.contains($0) }
            return (adopted, isBadgeNew)
        }
        if !adopted.shown.isEmpty {
            let restoring = Task { await restore(adopted.shown) }
            state.withLock { $0.restoring = restoring }
        }
        if badge { showBadge() }
        conclude(adopted.aftermath)
    }

    private func restore(_ shown: [ShownNotification]) async {
        let handles = await backend.restore(shown)
        let gone = state.withLock { $0.inbox.restore(shown, handles) }
        for notification in gone { tellEnd(of: notification, .unknown) }
        save()
    }
}

extension UserNotificationCenter {
    /// Writes what is delivered to the store, the newest last.
    func save() {
        guard state.withLock({ $0.saving.enter() }) else { return }
        ledger.enqueue { [self] in
            await begun()
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
        await begun()
        // What is being written by turns is before this in the ledger.
        _ = try? await ledger.run { [self] in
            await write(state.withLock { $0.takeChange() })
        }
    }

    private func write(_ news: DeliveredChange) async {
        do {
            try await change { news.apply(to: &$0) }
        } catch {
            state.withLock { $0.inbox.list.untake((news.changed, news.gone)) }
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
        let changes = inbox.list.takeChanges()
        return DeliveredChange(
            changed: changes.changed,
            gone: changes.gone,
            badge: inbox.badge,
            allowed: allowed,
            limit: inbox.limit
        )
    }
}

extension NotificationRecord {
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
