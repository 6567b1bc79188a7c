// SPDX-License-Identifier: Apache-2.0

/// Who tells of a publisher's changes, as a value.
///
/// One thread at a time delivers; the changes that others make meanwhile are left to it.
@usableFromInline
struct StateTurns: Sendable {
    /// The thread that delivers.
    private var deliverer: UInt?
    /// How many rounds wait for it.
    private var waiting = 0

    /// Whether another thread than `thread` delivers now.
    func isTaken(by thread: UInt) -> Bool {
        deliverer.map { $0 != thread } ?? false
    }

    /// Whether anybody delivers or something waits.
    var isBusy: Bool { deliverer != nil || waiting > 0 }

    /// Makes `thread` the one who delivers, unless one is.
    mutating func begin(_ thread: UInt) -> Bool {
        guard deliverer == nil else { return false }
        deliverer = thread
        return true
    }

    /// The same if no round waits: what is told directly is newer than all that wait.
    mutating func beginDirectly(_ thread: UInt) -> Bool {
        waiting == 0 && begin(thread)
    }

    /// The same if a round waits.
    mutating func beginRounds(_ thread: UInt) -> Bool {
        waiting > 0 && begin(thread)
    }

    /// Notes that one more round waits.
    @usableFromInline
    mutating func queue() {
        waiting += 1
    }

    /// Takes a round that waits; if none does, the delivery is over.
    mutating func next() -> Bool {
        if waiting == 0 {
            deliverer = nil
            return false
        }
        waiting -= 1
        return true
    }

    /// Ends the delivery and says whether a round waits.
    mutating func end() -> Bool {
        deliverer = nil
        return waiting > 0
    }
}
