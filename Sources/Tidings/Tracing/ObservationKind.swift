// SPDX-License-Identifier: Apache-2.0

/// Where the messages of an observation go, and what bounds its lifetime.
///
/// ```swift
/// let screens = center.observations().filter { $0.observation.kind.place == .main }
/// ```
public struct ObservationKind: Hashable, Sendable, CustomStringConvertible {
    /// Where the messages of an observation go.
    @nonexhaustive public enum Place: Hashable, Sendable {
        /// To a handler on the thread that posts.
        case poster
        /// To a handler on the main actor.
        case main
        /// To a handler in a task of its own, through a mailbox.
        case task
        /// To a reader of a sequence.
        case reader
        /// To a responder, which answers requests.
        case responder
        /// To a watcher of the whole center.
        case watcher
    }

    /// Where its messages go.
    public let place: Place
    /// Whether it lives as long as an owner or an actor; otherwise it lives as long as its token or
    /// sequence.
    public let isOwned: Bool

    /// A few words, such as "owned handler".
    public var description: String { isOwned ? "owned \(place.name)" : place.name }
}

extension ObservationKind.Place {
    fileprivate var name: String {
        switch self {
        case .poster: "handler"
        case .main: "main-actor handler"
        case .task: "async handler"
        case .reader: "sequence"
        case .responder: "responder"
        case .watcher: "watcher"
        }
    }
}

extension Registration {
    var kind: ObservationKind {
        ObservationKind(place: place, isOwned: flags.contains(.owned))
    }
}
