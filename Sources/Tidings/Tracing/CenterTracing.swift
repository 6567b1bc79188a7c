// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Those who watch a center, and what it takes to tell them.
///
/// Without a watcher a post reads one flag of its channel and nothing here.
final class CenterTracing: Sendable {
    let watchers = Channel()
    /// How many want to know before the first handler runs.
    private let postingWatchers = Atomic(0)
    /// How many want to know after the last one has returned: only for them is time measured.
    private let deliveryWatchers = Atomic(0)
    /// The time since some moment.
    let now: @Sendable () -> Duration

    /// Posts of all centers, so that records of two centers can stand in one list.
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

    /// Counts a watcher, or takes it back.
    func add(_ change: Int, wantsPostings: Bool, wantsDeliveries: Bool) {
        if wantsPostings { postingWatchers.add(change, ordering: .acquiringAndReleasing) }
        if wantsDeliveries { deliveryWatchers.add(change, ordering: .acquiringAndReleasing) }
    }

    /// Tells watchers of an event, on this thread and without a lock.
    func tell(_ event: consuming TraceEvent, of center: MessageCenter) {
        let thread = DeliveryThread.current
        thread.inside(.watcher, of: center) {
            _ = Incoming.with(event) { watchers.deliver($0, on: thread) { _, _ in } }
        }
    }
}

/// What watchers are told.
enum TraceEvent: ~Copyable {
    case posting(PostingRecord)
    case delivered(DeliveryRecord)
}
