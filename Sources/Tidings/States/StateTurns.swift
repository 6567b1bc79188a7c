// SPDX-License-Identifier: Apache-2.0

/// The turns of the threads that deliver a publisher's changes, as a value.
///
/// One thread at a time delivers. Other threads leave changes to the delivering thread.
@usableFromInline
struct StateTurns: Sendable {
    /// The thread that delivers.
    private var deliverer: UInt?
    /// The number of rounds that are pending for the delivering thread.
    private var waiting = 0

    /// Whether another thread than `thread` delivers now.
    func isTaken(by thread: UInt) -> Bool {
        deliverer.map { $0 != thread } ?? false
    }

    /// Whether a thread delivers or a round is pending.
    var isBusy: Bool { deliverer != nil || waiting > 0 }

    /// Makes `thread` the delivering thread, or returns false if a thread already delivers.
    mutating func begin(_ thread: UInt) -> Bool {
        guard deliverer == nil else { return false }
        deliverer = thread
        return true
    }

    /// Makes `thread` the delivering thread, but only if no round is pending.
    ///
    /// With a pending round, a direct call would deliver a newer state first.
    mutating func beginDirectly(_ thread: UInt) -> Bool {
        waiting == 0 && begin(thread)
    }

    /// Makes `thread` the delivering thread, but only if a round is pending.
    mutating func beginRounds(_ thread: UInt) -> Bool {
        waiting > 0 && begin(thread)
    }

    /// Adds a pending round.
    @usableFromInline
    mutating func queue() {
        waiting += 1
    }

    /// Takes a pending round, or ends the delivery and returns false if no round is pending.
    mutating func next() -> Bool {
        if waiting == 0 {
            deliverer = nil
            return false
        }
        waiting -= 1
        return true
    }

    /// Ends the delivery and returns whether a round is pending.
    mutating func end() -> Bool {
        deliverer = nil
        return waiting > 0
    }
}
