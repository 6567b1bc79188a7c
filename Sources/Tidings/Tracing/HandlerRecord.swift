// SPDX-License-Identifier: Apache-2.0

/// What became of a post at one observation.
///
/// ```swift
/// let slow = delivery.handlers.filter { $0.duration > .milliseconds(16) }
/// ```
public struct HandlerRecord: Sendable, CustomStringConvertible {
    /// Whose handler it was, and where it was registered.
    public let observation: ObservationInfo
    /// What became of the call.
    public let outcome: HandlerOutcome
    /// How long the poster spent on it: of a queued call, how long queueing took.
    public let duration: Duration

    /// The observation, the outcome and the time.
    public var description: String { "\(observation): \(outcome) in \(duration.shortText)" }
}

/// What became of one call.
@nonexhaustive public enum HandlerOutcome: Hashable, Sendable {
    /// The handler returned.
    case called
    /// The call waits for the main actor, for a task or for a reader.
    case queued
    /// A filter did not let the message through, or the observation is blocked.
    case skipped
    /// The observation had ended when its turn came.
    case ended
    /// The owner had died when its turn came.
    case ownerDied
    /// The handler threw an error of the type of that name.
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
