// SPDX-License-Identifier: Apache-2.0

/// Where the messages of an observation go.
package enum HandlerPlace: Sendable {
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
    /// To a watcher or a hook of the whole center.
    case watcher

    /// A word or two for people.
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

extension ObservationInfo {
    /// Where its messages go and what bounds its lifetime, such as "owned handler".
    package var kindText: String { isOwned ? "owned \(place.name)" : place.name }
}
