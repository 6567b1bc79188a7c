// SPDX-License-Identifier: Apache-2.0
import TidingsLock

/// An observation at one moment.
package struct ObservationFigures: Sendable, CustomStringConvertible {
    /// The observation.
    package let observation: ObservationInfo
    /// Whether the observation is blocked.
    package let isBlocked: Bool
    /// How many messages are pending for it.
    package let pending: Int
    /// How many messages it lost because its buffer was full.
    package let dropped: Int

    init(_ registration: Registration) {
        observation = registration.info
        isBlocked = registration.isBlocked
        let queue = registration.queue
        pending = queue?.pending ?? 0
        dropped = queue?.dropped ?? 0
    }

    /// The observation and its unusual properties at this moment.
    package var description: String {
        var facts = [observation.kindText]
        if isBlocked { facts.append("blocked") }
        if pending > 0 { facts.append("\(pending) waiting") }
        if dropped > 0 { facts.append("\(dropped) lost") }
        return "\(observation) (\(facts.joined(separator: ", ")))"
    }
}

extension MessageCenter {
    /// Returns all current observations of this center, in the order in which they began.
    ///
    /// Expired observations are not included; watchers and hooks are.
    package func currentObservations() -> [ObservationFigures] {
        let channels = registry.withLock { $0.all }
        var all: [ObservationFigures] = []
        let others = [wildcards, interceptors, tracing.watchers, errorHooks, unhandledHooks]
        for channel in channels + others {
            let snapshot = channel.snapshot()
            // Checked outside the lock: reading an owner may release its last reference.
            snapshot.visit { registration in
                guard registration.isActive, !registration.isExpired else { return }
                all.append(ObservationFigures(registration))
            }
        }
        return all.sorted { $0.observation.id < $1.observation.id }
    }
}

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
