// SPDX-License-Identifier: Apache-2.0

/// A description of an observation, for developers.
///
/// ```swift
/// let token = center.addErrorHook { failure in
///     print("\(failure.observation) failed: \(failure.error)")
/// }
/// ```
public struct ObservationInfo: Sendable, CustomStringConvertible {
    /// The number of the observation, unique in the process and never reused.
    package let id: UInt64

    /// The place where the messages go.
    package let place: HandlerPlace
    /// Whether the observation lives as long as an owner or an actor.
    package let isOwned: Bool

    private let name: MessageName
    private let source: SourceLocation

    fileprivate init(_ registration: Registration) {
        id = registration.identifier
        place = registration.place
        isOwned = registration.flags.contains(.owned)
        name = registration.inputName
        source = registration.source
    }

    /// The name of the observed message's type, without the module.
    ///
    /// The string is built on each access.
    public var message: String { name.text }

    /// The location of the observe call, as `#fileID:line`.
    ///
    /// The string is built on each access.
    public var location: String { source.description }

    /// The message and the place.
    public var description: String { "\(message) at \(location)" }
}

extension Registration {
    /// The description of this registration for developers.
    var info: ObservationInfo { ObservationInfo(self) }
}
