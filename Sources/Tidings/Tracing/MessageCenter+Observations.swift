// SPDX-License-Identifier: Apache-2.0
import TidingsLock

extension MessageCenter {
    /// Returns everybody who observes this center now, in the order in which they began.
    ///
    /// Those whose owner has died are not among them; those who watch are, hooks included. It looks
    /// at each observation, so it is for diagnosis and not for a program's way.
    ///
    /// ```swift
    /// for status in center.observations() { print(status) }
    /// ```
    public func observations() -> [ObservationStatus] {
        let channels = registry.withLock { $0.all }
        var all: [ObservationStatus] = []
        let others = [wildcards, interceptors, tracing.watchers, errorHooks, unhandledHooks]
        for channel in channels + others {
            let snapshot = channel.snapshot()
            // Asked without a lock: looking at an owner may be what releases it.
            snapshot.visit { registration in
                guard registration.isActive, !registration.isExpired else { return }
                all.append(ObservationStatus(registration))
            }
        }
        return all.sorted { $0.observation.id < $1.observation.id }
    }

    /// Returns how many observations there are, by the places where they were made.
    ///
    /// Observations of one place that grow in number are what a leak looks like.
    ///
    /// ```swift
    /// print(center.leakReport())
    /// ```
    public func leakReport() -> LeakReport {
        LeakReport(observations())
    }
}

/// An observation as it stands at one moment.
///
/// ```swift
/// let late = center.observations().filter { $0.pending > 100 }
/// ```
public struct ObservationStatus: Sendable, CustomStringConvertible {
    /// Which observation it is.
    public let observation: ObservationInfo
    /// Whether messages pass it by for now.
    public let isBlocked: Bool
    /// How many messages wait for it.
    public let pending: Int
    /// How many messages it lost because there was no room for them to wait.
    public let dropped: Int

    init(_ registration: Registration) {
        observation = registration.info
        isBlocked = registration.isBlocked
        let queue = registration.queue
        pending = queue?.pending ?? 0
        dropped = queue?.dropped ?? 0
    }

    /// The observation and what is special about it now.
    public var description: String {
        var facts = [observation.kind.description]
        if isBlocked { facts.append("blocked") }
        if pending > 0 { facts.append("\(pending) waiting") }
        if dropped > 0 { facts.append("\(dropped) lost") }
        return "\(observation) (\(facts.joined(separator: ", ")))"
    }
}
