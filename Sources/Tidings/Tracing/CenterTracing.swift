// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// The watchers of a center, and the state for the calls of these watchers.
///
/// Without a watcher, a post reads one flag of the channel and nothing here.
final class CenterTracing: Sendable {
    let watchers = Channel()
    /// The number of watchers to call before the first handler runs.
    private let postingWatchers = Atomic(0)
    /// The number of watchers to call after the last handler has returned.
    ///
    /// Time is measured only for these watchers.
    private let deliveryWatchers = Atomic(0)
    /// Returns the time since a fixed moment.
    let now: @Sendable () -> Duration

    /// Numbers the posts of all centers, so that one list can hold the records of two centers.
    private static let lastNumber = Atomic<UInt64>(0)

    init(clock: some Clock<Duration>) {
        now = clock.elapsed()
    }

    var isWatched: Bool { !watchers.isEmpty }

    var wantsPostings: Bool { postingWatchers.load(ordering: .acquiring) > 0 }

    var wantsDeliveries: Bool { deliveryWatchers.load(ordering: .acquiring) > 0 }

    func makeNumber() -> UInt64 {
        Self.lastNumber.wrappingAdd(1, ordering: .relaxed).newValue
    }

    /// Adds `change` to the counts of watchers.
    func add(_ change: Int, wantsPostings: Bool, wantsDeliveries: Bool) {
        if wantsPostings { postingWatchers.add(change, ordering: .acquiringAndReleasing) }
        if wantsDeliveries { deliveryWatchers.add(change, ordering: .acquiringAndReleasing) }
    }

    /// Calls the watchers with an event, on this thread and without a lock.
    func tell(_ event: consuming TraceEvent, of center: MessageCenter) {
        let thread = DeliveryThread.current
        thread.inside(.watcher, of: center) {
            _ = Incoming.with(event) { watchers.deliver($0, on: thread) { _, _ in } }
        }
    }
}
