// SPDX-License-Identifier: Apache-2.0
import TidingsLock

extension MessageCenter {
    /// Returns all current observations of this center, in the order in which they began.
    ///
    /// Expired observations are not included; watchers and hooks are. The call visits each
    /// observation, so use it for diagnosis only.
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
            // Checked outside the lock: reading an owner may release its last reference.
            snapshot.visit { registration in
                guard registration.isActive, !registration.isExpired else { return }
                all.append(ObservationStatus(registration))
            }
        }
        return all.sorted { $0.observation.id < $1.observation.id }
    }

    /// Returns the number of observations for each location where they were made.
    ///
    /// A location whose count keeps growing indicates a leak.
    ///
    /// ```swift
    /// print(center.leakReport())
    /// ```
    public func leakReport() -> LeakReport {
        LeakReport(observations())
    }
}

/// The status of an observation at one moment.
///
/// ```swift
/// let late = center.observations().filter { $0.pending > 100 }
/// ```
public struct ObservationStatus: Sendable, CustomStringConvertible {
    /// The observation.
    public let observation: ObservationInfo
    /// Whether the observation is blocked.
    public let isBlocked: Bool
    /// How many messages are pending for it.
    public let pending: Int
    /// How many messages it lost because its buffer was full.
    public let dropped: Int

    init(_ registration: Registration) {
        observation = registration.info
        isBlocked = registration.isBlocked
        let queue = registration.queue
        pending = queue?.pending ?? 0
        dropped = queue?.dropped ?? 0
    }

    /// The observation and its unusual properties at this moment.
    public var description: String {
        var facts = [observation.kind.description]
        if isBlocked { facts.append("blocked") }
        if pending > 0 { facts.append("\(pending) waiting") }
        if dropped > 0 { facts.append("\(dropped) lost") }
        return "\(observation) (\(facts.joined(separator: ", ")))"
    }
}
