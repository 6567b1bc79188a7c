// SPDX-License-Identifier: Apache-2.0

/// A description of an observation, for developers.
///
/// ```swift
/// let token = center.addErrorHook { failure in
///     print("\(failure.observation) failed: \(failure.error)")
/// }
/// ```
public struct ObservationInfo: Hashable, Sendable, CustomStringConvertible {
    /// The number of the observation, unique in the process and never reused.
    public let id: UInt64

    /// Where its messages go, and what bounds its lifetime.
    public let kind: ObservationKind

    private let name: MessageName
    private let source: SourceLocation

    init(id: UInt64, _ kind: ObservationKind, _ name: MessageName, at source: SourceLocation) {
        self.id = id
        self.kind = kind
        self.name = name
        self.source = source
    }

    /// The name of the observed message's type, without its module.
    ///
    /// Built on each access.
    public var message: String { name.text }

    /// Where the observation was made, as `#fileID:line`.
    ///
    /// Built on each access.
    public var location: String { source.description }

    /// The message and the place.
    public var description: String { "\(message) at \(location)" }

    /// Returns whether both values describe the same observation.
    public static func == (left: ObservationInfo, right: ObservationInfo) -> Bool {
        left.id == right.id
    }

    /// Feeds the number to `hasher`.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(id)
    }
}

extension Registration {
    /// The description of this registration for developers.
    var info: ObservationInfo {
        ObservationInfo(id: identifier, kind, inputName, at: source)
    }
}
