// SPDX-License-Identifier: Apache-2.0

/// The outcome of a message whose poster waited for its handlers.
///
/// ```swift
/// let report = await center.postAndWait(LoggedIn(name: "Ada"))
/// for failure in report.failures { print(failure) }
/// ```
public struct DeliveryReport: Sendable {
    /// The number of observations that the message addressed.
    public let recipients: Int
    /// The errors of handlers, in the order in which they were thrown.
    public let failures: [HandlerFailure]
    /// Whether the center delivered the message.
    ///
    /// False if the task was cancelled or the center finished while a buffer was full, or if an
    /// interceptor stopped the message: then no handler received it.
    package let isDelivered: Bool
    /// The number of handlers still running when the waiting task was cancelled; otherwise 0.
    public let unfinished: Int
}
