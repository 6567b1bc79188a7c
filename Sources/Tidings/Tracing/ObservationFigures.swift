// SPDX-License-Identifier: Apache-2.0
import TidingsLock

/// An observation at one moment.
package struct ObservationFigures: Sendable, CustomStringConvertible {
    /// The observation.
    package let observation: ObservationInfo
    /// Whether the observation is blocked.
    package let isBlocked: Bool
    /// The number of messages that are pending for the observation.
    package let pending: Int
    /// The number of messages that a full buffer dropped.
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
    /// Returns all current observations of this center, in the order of registration.
    ///
    /// Expired observations are not included, but watchers and hooks are.
    package func currentObservations() -> [ObservationFigures] {
        let channels = registry.withLock { $0.all }
        var all: [ObservationFigures] = []
        let others = [wildcards, interceptors, tracing.watchers, errorHooks, unhandledHooks]
        for channel in channels + others {
            let snapshot = channel.snapshot()
            // The check is made outside the lock, because reading an owner may release the last
            // reference to that owner.
            snapshot.visit { registration in
                guard registration.isActive, !registration.isExpired else { return }
                all.append(ObservationFigures(registration))
            }
        }
        return all.sorted { $0.observation.id < $1.observation.id }
    }
}

/// The destination of an observation's messages.
package enum HandlerPlace: Sendable {
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
    /// A watcher or a hook of the whole center.
    case watcher

    /// A short name for display.
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
    /// The destination of the messages and the bound of the lifetime, such as "owned handler".
    package var kindText: String { isOwned ? "owned \(place.name)" : place.name }
}
