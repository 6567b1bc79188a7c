// SPDX-License-Identifier: Apache-2.0

/// What `add` hands back at once; the outcome comes later.
public struct NotificationReceipt: Sendable {
    /// The identifier of the request.
    public let identifier: String
    private let promise: OutcomePromise

    init(identifier: String, promise: OutcomePromise) {
        self.identifier = identifier
        self.promise = promise
    }

    /// What became of the request, within ``UserNotificationCenter/outcomeLimit``.
    ///
    /// Any number of tasks may ask, at any time. Asking does not hurry anything.
    public var outcome: NotificationOutcome {
        get async { await promise.value }
    }
}
