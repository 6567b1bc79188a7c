// SPDX-License-Identifier: Apache-2.0

/// The result of `add`, whose outcome follows later.
public struct UserNotificationReceipt: Sendable {
    /// The identifier of the request.
    package let identifier: String
    private let promise: OutcomePromise

    init(identifier: String, promise: OutcomePromise) {
        self.identifier = identifier
        self.promise = promise
    }

    /// The outcome of the request, within five seconds of ``UserNotificationCenter/add(_:)``.
    ///
    /// Any number of tasks can await the outcome at any time.
    public var outcome: UserNotificationOutcome {
        get async { await promise.value }
    }
}
