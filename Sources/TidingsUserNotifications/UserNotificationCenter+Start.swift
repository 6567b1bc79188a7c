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
            let record = try await store.update { record in
                record.runs += 1
                return record
            }
            adopt(record)
        } catch {
            messages.post(NotificationStoreFailed(error: UserNotificationError(storeError: error)))
        }
        Task {
            if presence.noteFirst(await backend.availability()) { tellStatus() }
        }
        drive()
    }

    private func adopt(_ record: NotificationRecord) {
        let (adopted, badge) = state.withLock { state in
            if state.allowed == nil { state.allowed = record.allowed }
            state.schedule = record.schedule
            state.saved = Set(record.delivered.map(\.notification.id))
            let isBadgeNew = state.inbox.badge == 0 && record.badge != 0
            if isBadgeNew { state.inbox.setBadge(record.badge) }
            let adopted = state.inbox.adopt(record, run: record.runs, isAlive: Runs.isAlive)
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
            while let change = state.withLock({ $0.nextSave() }) {
                do {
                    try await store.update { change.apply(to: &$0) }
                } catch {
                    let error = UserNotificationError(storeError: error)
                    messages.post(NotificationStoreFailed(error: error))
                }
            }
        }
    }
}

extension UserNotificationCenter.State {
    /// What a run knows better than the store.
    struct Change {
        let entries: [DeliveredNotification]
        let gone: Set<NotificationDelivery>
        let badge: Int
        let allowed: AuthorizationOptions?
        let owner: String
        let limit: Int

        func apply(to record: inout NotificationRecord) {
            let own = entries.filter { $0.owner == owner }
            let replaced = gone.union(own.map(\.notification.id))
            let newest = Dictionary(
                own.map { ($0.notification.identifier, $0.notification.id.number) },
                uniquingKeysWith: max
            )
            record.delivered.removeAll { entry in
                let id = entry.notification.id
                return replaced.contains(id) || id.number < newest[id.identifier] ?? 0
            }
            record.delivered += own.map(\.forDisk)
            record.delivered.sort { $0.notification.id.number < $1.notification.id.number }
            record.delivered.removeFirst(max(0, record.delivered.count - limit))
            record.badge = badge
            record.allowed = allowed ?? record.allowed
        }
    }

    /// Takes what is to be saved next; nil when all is.
    fileprivate mutating func nextSave() -> Change? {
        guard saving.next() else { return nil }
        let ids = Set(inbox.entries.map(\.notification.id))
        defer { saved = ids }
        return Change(
            entries: inbox.entries,
            gone: saved.subtracting(ids),
            badge: inbox.badge,
            allowed: allowed,
            owner: inbox.owner,
            limit: inbox.limit
        )
    }
}
