// SPDX-License-Identifier: Apache-2.0

/// An error that a handler threw, with the observation of the handler.
///
/// ```swift
/// let token = center.addErrorHook { failure in log("\(failure.observation): \(failure.error)") }
/// ```
public struct HandlerFailure: Error, Sendable {
    /// The error that the handler threw.
    public let error: any Error
    /// The observation whose handler threw it.
    public let observation: ObservationInfo
}
