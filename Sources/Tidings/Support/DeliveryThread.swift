// SPDX-License-Identifier: Apache-2.0

/// What the calling thread is delivering now, and what waits until that is done.
///
/// One per thread, reached by that thread only. A home has a turn while one of its handlers is on
/// the thread's stack; turns of several homes nest.
final class DeliveryThread {
    private struct Turn {
        let home: ObjectIdentifier
        var waiting: ContiguousArray<() -> Void> = []
    }

    private var turns: ContiguousArray<Turn> = []

    /// Whether a handler of `home` is on this thread's stack.
    func isDelivering(for home: AnyObject) -> Bool {
        if turns.isEmpty { return false }
        return turns.contains { $0.home == ObjectIdentifier(home) }
    }

    /// Keeps work for the end of the turn that `home` has on this thread.
    func enqueue(for home: AnyObject, _ work: @escaping () -> Void) {
        guard let index = turns.firstIndex(where: { $0.home == ObjectIdentifier(home) }) else {
            preconditionFailure("Only a delivery in progress can have something waiting.")
        }
        turns[index].waiting.append(work)
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
        turns.append(Turn(home: ObjectIdentifier(home)))
    }

    /// Runs what was queued during the last turn, and ends it.
    func end() {
        let index = turns.count - 1
        while !turns[index].waiting.isEmpty {
            let batch = turns[index].waiting
            turns[index].waiting = []
            for work in batch { work() }
        }
        turns.removeLast()
    }
}
