// SPDX-License-Identifier: Apache-2.0
import Tidings
import TidingsLock

extension UserNotificationCenter {
    /// Requests a notification.
    ///
    /// The request replaces a pending or delivered notification with the same identifier.
    ///
    /// The call returns as soon as the request is stored or queued, and does not wait for the
    /// backend. A scheduled request replaces a delivered notification when the request fires, not
    /// before.
    ///
    /// - Parameter request: The identifier, the content and the trigger.
    /// - Returns: A receipt whose outcome follows later.
    /// - Throws: ``UserNotificationError``: `.denied` or `.notDetermined` without sending anything,
    ///   `.invalidTrigger` or `.pendingLimit` without changing anything, or `.diskFull`,
    ///   `.storeBusy` or `.storeFailed` if the store cannot be read or written.
    @discardableResult
    public func add(
        _ request: UserNotificationRequest
    ) async throws(UserNotificationError) -> UserNotificationReceipt {
        switch try await authorizationPrompt.status() {
        case .authorized, .unavailable: break
        case .denied: throw .denied
        case .notDetermined:
            throw UserNotificationError(
                .notDetermined,
                "Notifications have not been allowed yet. Call requestAuthorization first."
            )
        }
        await started()
        let promise = OutcomePromise()
        let receipt = UserNotificationReceipt(identifier: request.identifier, promise: promise)
        guard case .now = request.trigger else {
            let missing = UserNotificationFeatures.all.subtracting(backend.features)
            promise.settle(
                .scheduled(
                    try await schedule(request),
                    degraded: request.startsProgram ? missing.intersection(.programStart) : []
                )
            )
            return receipt
        }
        try await removeScheduled(request.identifier)
        timeouts.add(promise)
        apply(state.withLock { $0.inbox.post(request, promise) })
        return receipt
    }

    /// Returns the delivered notifications, the oldest first.
    ///
    /// Notifications of earlier runs appear after ``started()`` or the first request.
    public func delivered() -> [UserNotification] {
        state.withLock { $0.inbox.delivered }
    }

    /// Returns the number of delivered notifications that are not read.
    public func unreadCount() -> Int {
        state.withLock { $0.inbox.unreadCount }
    }

    /// Removes delivered, queued and pending notifications, including those from other processes
    /// with the same store.
    ///
    /// Pending requests stop firing immediately, and leave the store soon after this returns. Other
    /// processes close their visible notifications soon after that.
    ///
    /// - Parameter identifiers: The identifiers to remove. Unknown ones are ignored.
    public func remove(_ identifiers: [String]) {
        cancelScheduled(Set(identifiers))
        start()
        removeDelivered(identifiers)
    }

    /// Removes all delivered, queued and pending notifications, including those from other
    /// processes with the same store.
    public func removeAll() {
        cancelScheduled(nil)
        start()
        removeDelivered()
    }

    /// Removes delivered and queued notifications, including those from other processes with the
    /// same store, but no pending requests.
    ///
    /// - Parameter identifiers: The identifiers to remove, or nil for all. Unknown ones are
    ///   ignored.
    public func removeDelivered(_ identifiers: [String]? = nil) {
        removeListed(identifiers.map { Set($0) })
    }

    private func removeListed(_ identifiers: Set<String>?) {
        apply(state.withLock { $0.inbox.remove(identifiers) })
        removeListedByOthers(identifiers)
    }

    /// Responds to a notification in the program's own list.
    ///
    /// The center posts the response before this returns, like a response from the backend. This is
    /// the only way to respond to a suppressed notification.
    ///
    /// - Parameters:
    ///   - identifier: The identifier of the notification.
    ///   - action: The user's action.
    /// - Returns: The response that was posted.
    /// - Throws: ``UserNotificationError``: `.notDelivered`, for example because another response
    ///   came first, or `.unknownAction`.
    @discardableResult
    public func respond(
        to identifier: String,
        _ action: UserNotificationResponse.Action = .open
    ) throws(UserNotificationError) -> UserNotificationResponse {
        let known = delivered().first { $0.identifier == identifier }
        try known?.check(action)
        guard let known, let response = respond(to: known.id, action, nil) else {
            throw .notDelivered(identifier)
        }
        return response
    }

    /// Marks delivered notifications as read.
    ///
    /// - Parameter identifiers: The identifiers to mark, or nil for all.
    public func markRead(_ identifiers: [String]? = nil) {
        let isChanged = state.withLock { $0.inbox.markRead(identifiers.map { Set($0) }) }
        guard isChanged else { return }
        postUnreadCount()
        save()
    }

    /// Returns the program's badge, where 0 means no badge.
    package func badge() -> Int {
        state.withLock { $0.inbox.badge }
    }

    /// Sets the program's badge.
    ///
    /// A count of 0 clears the badge. A negative count is treated as 0.
    public func setBadge(_ count: Int) {
        state.withLock { $0.inbox.setBadge(count) }
        showBadge()
        save()
    }
}
