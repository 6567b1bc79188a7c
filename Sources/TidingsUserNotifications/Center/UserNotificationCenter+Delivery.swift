// SPDX-License-Identifier: Apache-2.0
import Tidings

extension UserNotificationCenter {
    /// Requests a notification; a pending or delivered one with its identifier is replaced.
    ///
    /// Returns as soon as the request is on disk or on its way: whoever shows it is not waited
    /// for. One that waits for its time replaces a delivered one when that has come.
    ///
    /// - Parameter request: What to show under which identifier, and when.
    /// - Returns: A receipt whose outcome comes later.
    /// - Throws: ``UserNotificationError``: `.denied` or `.notDetermined`, and nothing is sent;
    ///   `.invalidTrigger` or `.pendingLimit`, and nothing is changed; `.diskFull`, `.storeBusy`
    ///   or `.storeFailed` when it cannot be known or kept.
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
        await started()
        let promise = OutcomePromise()
        let receipt = NotificationReceipt(identifier: request.identifier, promise: promise)
        guard case .now = request.trigger else {
            promise.settle(.scheduled(try await schedule(request)))
            return receipt
        }
        try await makeRoom(for: request.identifier)
        limits.add(promise)
        conclude(state.withLock { $0.inbox.post(request, promise) })
        return receipt
    }

    /// Returns the delivered notifications, the oldest first.
    ///
    /// Those of earlier runs are there after ``started()`` or the first request.
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

    /// Takes notifications away, delivered, on their way or waiting for their time.
    ///
    /// What waits is forgotten by the store soon after this returns, and does not fire.
    ///
    /// - Parameter identifiers: Which; those that are not there are ignored.
    public func remove(_ identifiers: [String]) {
        takeBack(Set(identifiers))
        removeDelivered(identifiers)
    }

    /// Takes all notifications away, delivered, on their way or waiting for their time.
    public func removeAll() {
        takeBack(nil)
        removeAllDelivered()
    }

    /// Takes notifications away that are delivered or on their way.
    ///
    /// - Parameter identifiers: Which; those that are not there are ignored.
    public func removeDelivered(_ identifiers: [String]) {
        conclude(state.withLock { $0.inbox.remove(Set(identifiers)) })
    }

    /// Takes all notifications away that are delivered or on their way.
    public func removeAllDelivered() {
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
        guard isChanged else { return }
        announce()
        save()
    }

    /// The number at the program's name, 0 for none.
    public func badge() -> Int {
        state.withLock { $0.inbox.badge }
    }

    /// Sets the number at the program's name; 0 clears it, and less than 0 is 0.
    public func setBadge(_ count: Int) {
        state.withLock { $0.inbox.setBadge(count) }
        showBadge()
        save()
    }
}
