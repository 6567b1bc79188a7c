// SPDX-License-Identifier: Apache-2.0
public import Tidings

/// The destination of an observation's messages, and the bound of the observation's lifetime.
///
/// ```swift
/// let screens = center.observations().filter { $0.observation.kind.place == .main }
/// ```
public struct ObservationKind: Hashable, Sendable, CustomStringConvertible {
    /// The destination of an observation's messages.
    @nonexhaustive public enum Place: Hashable, Sendable {
        /// A handler on the thread that posts.
        case poster
        /// A handler on the main actor.
        case main
        /// A handler in a separate task, through a mailbox.
        case task
        /// A reader of a sequence.
        case reader
        /// A responder, which answers requests.
        case responder
        /// A watcher of the whole center.
        case watcher
    }

    /// The destination of the messages.
    public let place: Place
    /// Whether the observation lives as long as an owner or an actor, instead of a token or
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
    /// The destination of the messages, and the bound of the observation's lifetime.
    public var kind: ObservationKind {
        ObservationKind(place: .init(place), isOwned: isOwned, description: kindText)
    }
}
