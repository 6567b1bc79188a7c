// SPDX-License-Identifier: Apache-2.0
import Tidings
import TidingsLock

/// The entry of one key in a family, which keeps the resource until unused for a while.
///
/// After the release of the entry, the entry still finds the resource as long as a caller keeps it.
final class FamilyEntry<Value: Sendable>: Sendable {
    private struct State {
        /// The resource, or nil once the entry is released.
        var kept: Resource<Value>?
        weak var resource: Resource<Value>?
        /// The time of the last use on the resource's timeline.
        var usedAt = Duration.zero
    }

    /// The part of an entry in the family.
    enum Role {
        /// The family does not keep the resource.
        case released
        /// The resource has neither observers nor a load nor pending writes.
        case idle
        case busy
    }

    /// An event that the family must know.
    enum Event {
        case used
        /// An observer came, or a load or a write began, or the family released the resource.
        case changed
        /// The last observer has left.
        case left
        /// A load or a write is over.
        case calmed
        /// The resource is deallocated.
        case died
    }

    private let state = Lock(State())
    private let report: @Sendable (Event, FamilyEntry) -> Void

    /// Creates an entry that reports events to the family.
    init(_ report: @escaping @Sendable (Event, FamilyEntry) -> Void) {
        self.report = report
    }

    /// The resource, if kept by the family or a caller.
    var resource: Resource<Value>? { state.withLock { $0.resource } }

    /// Returns the role of the entry with this resource.
    func role(with resource: Resource<Value>?) -> Role {
        guard let resource, state.withLock({ $0.kept != nil }) else { return .released }
        return resource.isIdle ? .idle : .busy
    }

    /// Stores the new resource of this entry, which no queue of the family contains yet.
    func begin(_ resource: Resource<Value>) {
        let now = resource.timeline.now
        state.withLock { $0 = State(kept: resource, resource: resource, usedAt: now) }
        resource.scheduleRelease()
    }

    /// Records a use and keeps the resource again, or returns nil if the resource is deallocated.
    func use() -> Resource<Value>? {
        guard let resource else { return nil }
        let now = resource.timeline.now
        let wasKept = state.withLock { state in
            state.usedAt = now
            defer { state.kept = resource }
            return state.kept != nil
        }
        if !wasKept { resource.scheduleRelease() }
        report(.used, self)
        return resource
    }

    /// Keeps the resource because of its observers.
    func observersCame(to resource: Resource<Value>) {
        state.withLock { $0.kept = resource }
        report(.changed, self)
    }

    func observersLeft() {
        _ = use()
        report(.left, self)
    }

    /// Notes that a load or a write begins.
    func workBegan() { report(.changed, self) }

    /// Notes that a load or a write is over.
    func workEnded() { report(.calmed, self) }

    /// Returns how much of `duration` remains since the last use.
    func remainder(of duration: Duration, at now: Duration) -> Duration {
        state.withLock { $0.usedAt } + duration - now
    }

    /// Releases the resource, or returns false if the resource is in use.
    @discardableResult
    func release() -> Bool {
        // The reference moves out of the lock first, because this may be the last reference.
        let (isInUse, released) = state.withLock { state -> (Bool, Resource<Value>?) in
            state.kept?.isIdle == false ? (true, nil) : (false, state.kept.take())
        }
        withExtendedLifetime(released) {}
        report(.changed, self)
        return !isInUse
    }

    func resourceDied() { report(.died, self) }
}
