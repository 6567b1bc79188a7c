// SPDX-License-Identifier: Apache-2.0
import Tidings

extension UserNotificationCenter {
    /// Posts a response, unless that delivery is gone, replaced or responded to.
    func respond(
        to delivery: NotificationDelivery,
        _ action: NotificationResponse.Action,
        _ activationToken: String?
    ) -> NotificationResponse? {
        guard let taken = state.withLock({ $0.inbox.respond(to: delivery) }) else { return nil }
        let response = NotificationResponse(
            notification: taken.notification,
            action: action,
            activationToken: activationToken
        )
        // A program that was just started may not listen yet.
        messages.post(response, retention: .untilHandled)
        conclude(taken.aftermath)
        return response
    }

    /// Does what a change of the inbox asks for, outside the lock.
    func conclude(_ aftermath: Inbox.Aftermath) {
        for promise in aftermath.replaced { promise.settle(.replaced) }
        for identifier in aftermath.started { work(on: identifier) }
        guard aftermath.isListChanged else { return }
        announce()
        save()
    }

    func announce() {
        guard state.withLock({ $0.announcing.enter() }) else { return }
        while let count = state.withLock({ $0.announcing.next() ? $0.inbox.unreadCount : nil }) {
            messages.post(DeliveredNotificationsChanged(unreadCount: count))
        }
    }

    func showBadge() {
        guard state.withLock({ $0.badging.enter() }) else { return }
        Task {
            while let badge = state.withLock({ $0.badging.next() ? $0.inbox.badge : nil }) {
                let allowed = state.withLock(\.allowed) ?? .all
                if allowed.contains(.badge) { await backend.setBadge(badge) }
            }
        }
    }

    /// Does the work of one identifier, one thing after the other, until there is none.
    private func work(on identifier: String) {
        Task {
            // What an earlier run has shown is taken over before anything is shown.
            await state.withLock(\.restoring)?.value
            while let work = state.withLock({ $0.inbox.nextWork(for: identifier) }) {
                switch work {
                case .show(let posting): await show(posting)
                case .close: await backend.close(identifier)
                }
            }
            removeUnnamedCopies()
        }
    }

    private func show(_ posting: Inbox.Posting) async {
        let posting = await copied(posting)
        let date = clock.date
        var notification = state.withLock { $0.inbox.draft(of: posting, at: date) }
        notification.presentation = await presentation(of: notification)
        let listed = notification
        let delivered = state.withLock {
            $0.inbox.deliver(listed, scheduleNumber: posting.scheduleNumber)
        }
        guard let delivered else {
            posting.promise.settle(.replaced)
            return
        }
        conclude(delivered)
        if posting.content.badge != nil { showBadge() }
        guard !notification.presentation.isEmpty else {
            // What it replaces may still be shown.
            await backend.close(notification.identifier)
            posting.promise.settle(.suppressed)
            return
        }
        let begin = clock.uptime
        let result = await backend.show(notification)
        settle(posting, result, after: clock.uptime - begin)
    }

    private func settle(
        _ posting: Inbox.Posting,
        _ result: NotificationBackendResult,
        after time: Duration
    ) {
        let delivery = posting.delivery
        switch result {
        case .accepted(let degraded, let handle):
            state.withLock { $0.inbox.note(delivery, isShown: true, handle) }
            if handle != nil { save() }
            posting.promise.settle(.accepted(degraded: degraded.union(posting.degraded)))
        case .refused(let reason):
            state.withLock { $0.inbox.note(delivery, isShown: false, nil) }
            posting.promise.settle(.refused(reason))
        case .unavailable(let reason):
            state.withLock { $0.inbox.note(delivery, isShown: false, nil) }
            // Who shows it may notice the limit before the center does.
            let isLate = time >= Self.outcomeLimit
            posting.promise.settle(isLate ? .timedOut : .unavailable(reason))
        }
    }

    private func presentation(of notification: UserNotification) async -> PresentationOptions {
        let (isInFront, willPresent, allowed) = state.withLock {
            ($0.isInFront, $0.willPresent, $0.allowed ?? .all)
        }
        guard allowed.contains(.alert) else { return [] }
        var presentation = PresentationOptions.all
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
