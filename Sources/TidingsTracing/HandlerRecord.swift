// SPDX-License-Identifier: Apache-2.0
public import Tidings

/// The outcome of a post at one observation.
///
/// ```swift
/// let slow = delivery.handlers.filter { $0.duration > .milliseconds(16) }
/// ```
public struct HandlerRecord: Sendable, CustomStringConvertible {
    private let call: CallRecord

    init(_ call: CallRecord) {
        self.call = call
    }

    /// The observation of the handler, with the location of its registration.
    public var observation: ObservationInfo { call.observation }

    /// The outcome of the call.
    public var outcome: HandlerOutcome { HandlerOutcome(call) }

    /// The time that the poster spent on the call, or on queueing for a queued call.
    public var duration: Duration { call.duration }

    /// The observation, the outcome and the time.
    public var description: String { "\(observation): \(outcome) in \(duration.shortText)" }
}

/// The outcome of one call.
@nonexhaustive public enum HandlerOutcome: Hashable, Sendable {
    /// The handler returned.
    case called
    /// The call is pending for the main actor, a task or a reader.
    case queued
    /// A filter rejected the message, or the observation is blocked.
    case skipped
    /// The observation had ended before the call.
    case ended
    /// The owner was deallocated before the call.
    case ownerDied
    /// The handler threw an error of the named type.
    case failed(String)
}

extension HandlerOutcome {
    fileprivate init(_ call: CallRecord) {
        switch call.outcome {
        case .called: self = .called
        case .queued: self = .queued
        case .skipped: self = .skipped
        case .ended: self = .ended
        case .expired: self = .ownerDied
        case nil: self = .failed(call.failure ?? "")
        }
    }
}
