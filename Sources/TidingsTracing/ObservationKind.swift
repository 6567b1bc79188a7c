// SPDX-License-Identifier: Apache-2.0
public import Tidings

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
    public let description: String
}

extension ObservationKind.Place {
    fileprivate init(_ place: HandlerPlace) {
        switch place {
        case .poster: self = .poster
        case .main: self = .main
        case .task: self = .task
        case .reader: self = .reader
        case .responder: self = .responder
        case .watcher: self = .watcher
        }
    }
}

extension ObservationInfo {
    /// Where its messages go, and what bounds its lifetime.
    public var kind: ObservationKind {
        ObservationKind(place: .init(place), isOwned: isOwned, description: kindText)
    }
}
