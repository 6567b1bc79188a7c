// SPDX-License-Identifier: Apache-2.0

/// The outcome of a post at one observation.
///
/// ```swift
/// let slow = delivery.handlers.filter { $0.duration > .milliseconds(16) }
/// ```
public struct HandlerRecord: Sendable, CustomStringConvertible {
    /// The observation of the handler, with the location of its registration.
    public let observation: ObservationInfo
    /// The outcome of the call.
    public let outcome: HandlerOutcome
    /// How long the poster spent on the call; for a queued call, how long queueing took.
    public let duration: Duration

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
    /// The observation had ended before its turn.
    case ended
    /// The owner was deallocated before its turn.
    case ownerDied
    /// The handler threw an error of the named type.
    case failed(String)
}

extension HandlerOutcome {
    init(_ outcome: CallOutcome) {
        switch outcome {
        case .called: self = .called
        case .queued: self = .queued
        case .skipped: self = .skipped
        case .ended: self = .ended
        case .expired: self = .ownerDied
        }
    }
}
