// SPDX-License-Identifier: Apache-2.0
import Tidings
import TidingsLock

extension UserNotificationCenter {
    /// Posts a response, or returns nil if the delivery was removed, replaced or responded to.
    func respond(
        to delivery: NotificationDelivery,
        _ action: UserNotificationResponse.Action,
        _ activationToken: String?
    ) -> UserNotificationResponse? {
        guard let removed = state.withLock({ $0.inbox.respond(to: delivery) }) else { return nil }
        let response = UserNotificationResponse(
            notification: removed.notification,
            action: action,
            activationToken: activationToken
        )
        // At launch the program may not have registered its observers yet.
        messages.post(response, options: [.retainedUntilHandled])
        apply(removed.effects)
        return response
    }

    /// Carries out the effects of an inbox change, outside the lock.
    ///
    /// - Parameters:
    ///   - effects: The effects.
    ///   - isSaved: Whether the store already has the change.
    func apply(_ effects: Inbox.Effects, isSaved: Bool = false) {
        for promise in effects.replaced { promise.settle(.replaced) }
        for identifier in effects.started { runOperations(for: identifier) }
        guard effects.isListChanged else { return }
        postUnreadCount()
        if !isSaved { save() }
    }

    func postUnreadCount() {
        guard state.withLock({ $0.countPosts.begin() }) else { return }
        while let count = state.withLock({ $0.countPosts.next() ? $0.inbox.unreadCount : nil }) {
            messages.post(UserNotificationListChanged(unreadCount: count))
        }
    }

    func showBadge() {
        guard state.withLock({ $0.badgeUpdates.begin() }) else { return }
        Task {
            // The identity of the badge includes the identity of the store.
            await started()
            while let badge = state.withLock({ $0.badgeUpdates.next() ? $0.inbox.badge : nil }) {
                let allowed = state.withLock(\.allowed) ?? .all
                if allowed.contains(.badge) { await backend.setBadge(badge) }
            }
        }
    }

    /// Runs the operations of one identifier in order, until the queue is empty.
    private func runOperations(for identifier: String) {
        Task {
            // The backend restores notifications of earlier runs before it shows new ones.
            await state.withLock(\.restoring)?.value
            while let operation = state.withLock({ $0.inbox.nextOperation(for: identifier) }) {
                switch operation {
                case .show(let queued):
                    await show(queued)
                    await pause(after: queued)
                case .close: await backend.close(identifier)
                }
            }
            removeUnnamedCopies()
        }
    }

    private func show(_ queued: Inbox.QueuedRequest) async {
        let queued = await copyFiles(of: queued)
        let date = clock.date
        var notification = state.withLock { $0.inbox.draft(of: queued, at: date) }
        notification.presentation = await presentation(of: notification)
        let listed = notification
        let delivered = state.withLock {
            $0.inbox.deliver(listed, scheduleNumber: queued.scheduleNumber)
        }
        guard let delivered else {
            queued.promise.settle(.replaced)
            return
        }
        apply(delivered)
        if queued.content.badge != nil { showBadge() }
        guard !notification.presentation.isEmpty else {
            // The replaced notification may still be visible.
            await backend.close(notification.identifier)
            queued.promise.settle(.suppressed)
            return
        }
        let begin = clock.uptime
        let result = await backend.show(notification)
        settle(queued, result, after: clock.uptime - begin)
    }

    /// Waits before the next operation of an identifier, so that progress moves at most four times
    /// in a second.
    ///
    /// Requests that arrive during the wait replace each other.
    private func pause(after queued: Inbox.QueuedRequest) async {
        guard queued.content.progress != nil else { return }
        try? await clock.sleep(for: .milliseconds(250))
    }

    private func settle(
        _ queued: Inbox.QueuedRequest,
        _ result: NotificationBackendResult,
        after time: Duration
    ) {
        let delivery = queued.delivery
        switch result {
        case .accepted(let degraded, let handle):
            let isShown = !degraded.contains(.list)
            state.withLock { $0.inbox.setShown(delivery, isShown: isShown, handle) }
            if handle != nil || !isShown { save() }
            queued.promise.settle(.accepted(degraded: degraded.union(queued.degraded)))
        case .refused(let reason):
            state.withLock { $0.inbox.setShown(delivery, isShown: false, nil) }
            queued.promise.settle(.refused(reason))
        case .unavailable(let reason):
            state.withLock { $0.inbox.setShown(delivery, isShown: false, nil) }
            // The backend's own timeout may fire before the center's.
            let isLate = time >= Self.outcomeLimit
            queued.promise.settle(isLate ? .timedOut : .unavailable(reason))
        }
    }

    private func presentation(
        of notification: UserNotification
    ) async -> UserNotificationPresentationOptions {
        let (isInFront, willPresent, allowed) = state.withLock {
            ($0.isInFront, $0.willPresent, $0.allowed ?? .all)
        }
        guard allowed.contains(.alert) else { return [] }
        var presentation = UserNotificationPresentationOptions.all
        if isInFront {
            guard let willPresent else { return [] }
            presentation =
                await value(within: Self.presentationLimit, on: clock) {
                    await willPresent(notification)
                } ?? []
        }
        if !allowed.contains(.sound) { presentation.remove(.sound) }
        return presentation
    }
}
