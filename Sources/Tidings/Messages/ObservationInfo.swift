// SPDX-License-Identifier: Apache-2.0

/// What can be told of an observation to a developer.
///
/// ```swift
/// center.setErrorHook { failure in
///     print("\(failure.observation) failed: \(failure.error)")
/// }
/// ```
public struct ObservationInfo: Hashable, Sendable, CustomStringConvertible {
    /// Its number, unique in the process and never used again.
    public let id: UInt64
    /// What it observes: the name of the message's type, without its module.
    public let message: String
    /// Where it was made, as `#fileID:line`.
    public let location: String

    /// The message and the place.
    public var description: String { "\(message) at \(location)" }
}

extension Registration {
    /// What can be told of it.
    var info: ObservationInfo {
        ObservationInfo(id: identifier, message: inputName, location: source.description)
    }
}
