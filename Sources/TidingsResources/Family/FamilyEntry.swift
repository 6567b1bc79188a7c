// SPDX-License-Identifier: Apache-2.0
import Synchronization
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
        var lastUse = 0
        /// The time of the last use on the resource's timeline.
        var usedAt = Duration.zero
    }

    private let state = Lock(State())
    private let left: @Sendable () -> Void
    private let died: @Sendable () -> Void

    /// Creates an entry.
    ///
    /// - Parameters:
    ///   - left: Called when the last observer has left.
    ///   - died: Called when the resource is deallocated.
    init(left: @escaping @Sendable () -> Void, died: @escaping @Sendable () -> Void) {
        self.left = left
        self.died = died
    }

    /// The resource, if kept by the family or a caller.
    var resource: Resource<Value>? { state.withLock { $0.resource } }

    /// Whether the resource is deallocated.
    var isOver: Bool { resource == nil }

    /// Whether the family keeps a resource that has neither observers nor a load.
    var isIdle: Bool { state.withLock { $0.kept }?.isIdle ?? false }

    /// The number of the last use, which is higher than the number of every earlier use.
    var lastUse: Int { state.withLock { $0.lastUse } }

    /// Stores the new resource of this entry.
    func begin(_ resource: Resource<Value>) {
        state.withLock { $0.resource = resource }
        _ = use()
    }

    /// Records a use and keeps the resource again, or returns nil if the resource is deallocated.
    func use() -> Resource<Value>? {
        guard let resource else { return nil }
        let now = resource.timeline.now
        let wasKept = state.withLock { state in
            state.lastUse = UseNumber.next()
            state.usedAt = now
            defer { state.kept = resource }
            return state.kept != nil
        }
        if !wasKept { resource.scheduleRelease() }
        return resource
    }

    /// Keeps the resource because of its observers.
    func observersCame(to resource: Resource<Value>) {
        state.withLock { $0.kept = resource }
    }

    func observersLeft() {
        _ = use()
        left()
    }

    /// Returns how much of `duration` remains since the last use.
    func remainder(of duration: Duration, at now: Duration) -> Duration {
        state.withLock { $0.usedAt } + duration - now
    }

    /// Releases the resource, unless the resource has observers.
    func release() {
        // The reference moves out of the lock first, because this may be the last reference.
        let released = state.withLock { state -> Resource<Value>? in
            state.kept?.isObserved == true ? nil : state.kept.take()
        }
        withExtendedLifetime(released) {}
    }

    func resourceDied() { died() }
}

/// Numbers the uses of entries of every type.
private enum UseNumber {
    private static let last = Atomic(0)

    static func next() -> Int {
        last.wrappingAdd(1, ordering: .relaxed).newValue
    }
}
