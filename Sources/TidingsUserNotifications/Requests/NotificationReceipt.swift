// SPDX-License-Identifier: Apache-2.0

/// The result of `add`, whose outcome follows later.
public struct NotificationReceipt: Sendable {
    /// The identifier of the request.
    public let identifier: String
    private let promise: OutcomePromise

    init(identifier: String, promise: OutcomePromise) {
        self.identifier = identifier
        self.promise = promise
    }

    /// The outcome of the request, within ``UserNotificationCenter/outcomeLimit``.
    ///
    /// Any number of tasks can await it at any time.
    public var outcome: NotificationOutcome {
        get async { await promise.value }
    }
}
