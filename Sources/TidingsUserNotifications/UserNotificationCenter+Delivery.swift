// SPDX-License-Identifier: Apache-2.0
import Tidings

extension UserNotificationCenter {
    /// Requests a notification; a pending or delivered one with its identifier is replaced.
    ///
    /// Returns as soon as the request has its place: whoever shows it is not waited for.
    ///
    /// - Parameter request: What to show under which identifier.
    /// - Returns: A receipt whose outcome comes later.
    /// - Throws: ``UserNotificationError``: `.denied` or `.notDetermined`, and nothing is sent;
    ///   `.storeFailed` when it cannot be known which.
    @discardableResult
    public func add(
        _ request: UserNotificationRequest
    ) async throws(UserNotificationError) -> NotificationReceipt {
        switch try await desk.status() {
        case .authorized, .unavailable: break
        case .denied: throw .denied
        case .notDetermined:
            throw UserNotificationError(
                .notDetermined,
                "Nobody has allowed notifications yet. Call requestAuthorization first."
            )
        }
        let promise = OutcomePromise()
        promise.limit(to: Self.outcomeLimit, on: clock)
        conclude(state.withLock { $0.inbox.post(request, promise) })
        return NotificationReceipt(identifier: request.identifier, promise: promise)
    }

    /// Returns the delivered notifications, the oldest first.
    public func delivered() -> [UserNotification] {
        state.withLock { $0.inbox.delivered }
    }

    /// Returns how many delivered notifications are not read.
    public func unreadCount() -> Int {
        state.withLock { $0.inbox.unreadCount }
    }

    /// Returns how many notifications left the list because it was full.
    public func droppedCount() -> Int {
        state.withLock { $0.inbox.dropped }
    }

    /// Takes notifications away, delivered or on their way.
    ///
    /// - Parameter identifiers: Which; those that are not there are ignored.
    public func remove(_ identifiers: [String]) {
        conclude(state.withLock { $0.inbox.remove(Set(identifiers)) })
    }

    /// Takes all notifications away, delivered or on their way.
    public func removeAll() {
        conclude(state.withLock { $0.inbox.remove(nil) })
    }

    /// Does what the person did with a notification in the program's own list.
    ///
    /// The response is posted before this returns, as if whoever shows the notification had told
    /// of it; a suppressed notification can be responded to in no other way.
    ///
    /// - Parameters:
    ///   - identifier: Which notification.
    ///   - action: What was done with it.
    /// - Returns: The response that was posted.
    /// - Throws: ``UserNotificationError``: `.notDelivered`, also when another response was
    ///   faster, or `.unknownAction`.
    @discardableResult
    public func respond(
        to identifier: String,
        _ action: NotificationResponse.Action = .open
    ) throws(UserNotificationError) -> NotificationResponse {
        let known = delivered().first { $0.identifier == identifier }
        try known?.check(action)
        guard let known, let response = respond(to: known.id, action, nil) else {
            throw .notDelivered(identifier)
        }
        return response
    }

    /// Marks delivered notifications as read.
    ///
    /// - Parameter identifiers: Which; nil for all.
    public func markRead(_ identifiers: [String]? = nil) {
        let isChanged = state.withLock { $0.inbox.markRead(identifiers.map { Set($0) }) }
        if isChanged { announce() }
    }

    /// The number at the program's name, 0 for none.
    public func badge() -> Int {
        state.withLock { $0.inbox.badge }
    }

    /// Sets the number at the program's name; 0 clears it, and less than 0 is 0.
    public func setBadge(_ count: Int) {
        state.withLock { $0.inbox.setBadge(count) }
        showBadge()
    }
}

extension UserNotificationCenter {
    /// Takes what the backend tells.
    func handle(_ event: NotificationBackendEvent) {
        switch event {
        case .responded(let delivery, let action, let token):
            _ = respond(to: delivery, action, token)
        case .closed, .availabilityChanged: break
        }
    }

    /// Posts a response, unless that delivery is gone, replaced or responded to.
    private func respond(
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
        messages.post(response)
        conclude(taken.aftermath)
        return response
    }

    /// Does what a change of the inbox asks for, outside the lock.
    private func conclude(_ aftermath: Inbox.Aftermath) {
        for promise in aftermath.replaced { promise.settle(.replaced) }
        for identifier in aftermath.started { work(on: identifier) }
        if aftermath.isListChanged { announce() }
    }

    private func announce() {
        guard state.withLock({ $0.announcing.enter() }) else { return }
        while let count = state.withLock({ $0.announcing.next() ? $0.inbox.unreadCount : nil }) {
            messages.post(DeliveredNotificationsChanged(unreadCount: count))
        }
    }

    private func showBadge() {
        guard state.withLock({ $0.badging.enter() }) else { return }
        Task {
            while let badge = state.withLock({ $0.badging.next() ? $0.inbox.badge : nil }) {
                await backend.setBadge(badge)
            }
        }
    }

    /// Does the work of one identifier, one thing after the other, until there is none.
    private func work(on identifier: String) {
        Task {
            while let work = state.withLock({ $0.inbox.nextWork(for: identifier) }) {
                switch work {
                case .show(let posting): await show(posting)
                case .close: await backend.close(identifier)
                }
            }
        }
    }

    private func show(_ posting: Inbox.Posting) async {
        let date = now()
        var notification = state.withLock { $0.inbox.draft(of: posting, at: date) }
        notification.presentation = await presentation(of: notification)
        let listed = notification
        guard let aftermath = state.withLock({ $0.inbox.deliver(listed) }) else {
            posting.promise.settle(.replaced)
            return
        }
        conclude(aftermath)
        if posting.content.badge != nil { showBadge() }
        guard !notification.presentation.isEmpty else {
            // What it replaces may still be shown.
            await backend.close(notification.identifier)
            posting.promise.settle(.suppressed)
            return
        }
        switch await backend.show(notification) {
        case .accepted(let degraded, _): posting.promise.settle(.accepted(degraded: degraded))
        case .unavailable(let reason): posting.promise.settle(.unavailable(reason))
        case .refused(let reason): posting.promise.settle(.refused(reason))
        }
    }

    private func presentation(of notification: UserNotification) async -> PresentationOptions {
        let (isInFront, willPresent) = state.withLock { ($0.isInFront, $0.willPresent) }
        guard isInFront else { return .all }
        guard let willPresent else { return [] }
        return await value(within: Self.presentationLimit, on: clock) {
            await willPresent(notification)
        } ?? []
    }
}
