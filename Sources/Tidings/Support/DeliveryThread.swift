// SPDX-License-Identifier: Apache-2.0

/// What the calling thread is delivering now, and what waits until that is done.
///
/// One per thread, reached by that thread only. A home has a turn while one of its handlers is on
/// the thread's stack; turns of several homes nest.
final class DeliveryThread {
    private struct Turn {
        var home: ObjectIdentifier
        var waiting: ContiguousArray<() -> Void>
    }

    /// The home of the innermost turn, nil between turns.
    private var home: ObjectIdentifier?
    /// What waits for the end of the innermost turn.
    private var waiting: ContiguousArray<() -> Void> = []
    /// The turns around the innermost one.
    private var outer: ContiguousArray<Turn> = []

    /// Whether a handler of `home` is on this thread's stack.
    func isDelivering(for home: AnyObject) -> Bool {
        guard let innermost = self.home else { return false }
        let home = ObjectIdentifier(home)
        return innermost == home || (!outer.isEmpty && outer.contains { $0.home == home })
    }

    /// Keeps work for the end of the turn that `home` has on this thread.
    func enqueue(for home: AnyObject, _ work: @escaping () -> Void) {
        let home = ObjectIdentifier(home)
        if self.home == home {
            waiting.append(work)
        } else if let index = outer.firstIndex(where: { $0.home == home }) {
            outer[index].waiting.append(work)
        } else {
            preconditionFailure("Only a delivery in progress can have something waiting.")
        }
    }

    /// Runs `body` as a turn of `home`, then everything that was queued meanwhile, in order.
    ///
    /// Within a turn of `home`, `body` simply runs.
    func deliver<Result>(for home: AnyObject, _ body: () -> Result) -> Result {
        if isDelivering(for: home) { return body() }
        begin(home)
        let result = body()
        end()
        return result
    }

    /// Begins a turn; `end` follows on every path.
    func begin(_ home: AnyObject) {
        if let innermost = self.home {
            outer.append(Turn(home: innermost, waiting: waiting))
            waiting = []
        }
        self.home = ObjectIdentifier(home)
    }

    /// Runs what was queued during the innermost turn, and ends it.
    func end() {
        while !waiting.isEmpty {
            let batch = waiting
            waiting = []
            for work in batch { work() }
        }
        if outer.isEmpty {
            home = nil
        } else {
            let turn = outer.removeLast()
            (home, waiting) = (turn.home, turn.waiting)
        }
    }
}
