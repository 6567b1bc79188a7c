// SPDX-License-Identifier: Apache-2.0

/// What can be told of an observation to a developer.
///
/// ```swift
/// let token = center.addErrorHook { failure in
///     print("\(failure.observation) failed: \(failure.error)")
/// }
/// ```
public struct ObservationInfo: Hashable, Sendable, CustomStringConvertible {
    /// Its number, unique in the process and never used again.
    public let id: UInt64

    /// Where its messages go, and what bounds its life.
    public let kind: ObservationKind

    private let name: MessageName
    private let source: SourceLocation

    init(id: UInt64, _ kind: ObservationKind, _ name: MessageName, at source: SourceLocation) {
        self.id = id
        self.kind = kind
        self.name = name
        self.source = source
    }

    /// What it observes: the name of the message's type, without its module.
    ///
    /// Built when it is asked for.
    public var message: String { name.text }

    /// Where it was made, as `#fileID:line`.
    ///
    /// Built when it is asked for.
    public var location: String { source.description }

    /// The message and the place.
    public var description: String { "\(message) at \(location)" }

    /// Returns whether both tell of the same observation.
    public static func == (left: ObservationInfo, right: ObservationInfo) -> Bool {
        left.id == right.id
    }

    /// Feeds the number to `hasher`.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(id)
    }
}

extension Registration {
    /// What can be told of it.
    var info: ObservationInfo {
        ObservationInfo(id: identifier, kind, inputName, at: source)
    }
}
