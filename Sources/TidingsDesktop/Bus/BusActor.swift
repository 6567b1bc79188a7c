// SPDX-License-Identifier: Apache-2.0
internal import Dispatch

/// An actor that runs on the queue of its connection to a bus.
protocol BusActor: Actor {
    /// Where it runs: its `unownedExecutor` is this one.
    nonisolated var executor: BusExecutor { get }
}

extension BusActor {
    /// Runs `body` as a part of this actor, for a caller who is on its queue.
    ///
    /// Dispatch and sd-bus call on the queue what they were given there, which Swift cannot know, so
    /// it has to be claimed. The claim is right because the queue is the actor's executor: it is
    /// serial, and nothing of the actor runs anywhere else. It is checked, too: the runtime asks
    /// ``BusExecutor/checkIsolated()``, and a caller on any other thread ends the program.
    nonisolated func onQueue<Result: Sendable>(
        _ body: (isolated Self) -> Result
    ) -> Result {
        assumeIsolated(body)
    }

    /// Has `body` run as a part of this actor soon, in the order of these calls, for one who cannot
    /// wait.
    nonisolated func soon(_ body: @escaping @Sendable (isolated Self) -> Void) {
        executor.queue.async { self.onQueue(body) }
    }

    /// Has `body` run as a part of this actor after a while, if it is still there.
    nonisolated func after(
        _ delay: Duration,
        _ body: @escaping @Sendable (isolated Self) -> Void
    ) {
        executor.queue.asyncAfter(deadline: .now() + delay.asInterval, execute: here(body))
    }

    /// A handler for the queue's callers that runs as a part of this actor, and keeps nobody alive.
    nonisolated func here(
        _ body: @escaping @Sendable (isolated Self) -> Void
    ) -> @Sendable () -> Void {
        { [weak self] in self?.onQueue(body) }
    }

    /// A handler of one value for the queue's callers that runs as a part of this actor, and keeps
    /// nobody alive.
    nonisolated func here<Value: Sendable>(
        _ body: @escaping @Sendable (isolated Self, Value) -> Void
    ) -> @Sendable (Value) -> Void {
        { [weak self] value in self?.onQueue { body($0, value) } }
    }

    /// A question of the queue's callers that is answered as a part of this actor: no, once it has
    /// gone.
    nonisolated func asked<Value: Sendable>(
        _ body: @escaping @Sendable (isolated Self, Value) -> Bool
    ) -> @Sendable (Value) -> Bool {
        { [weak self] value in self?.onQueue { body($0, value) } ?? false }
    }
}

extension Duration {
    /// As Dispatch wants it.
    var asInterval: DispatchTimeInterval {
        let (seconds, attoseconds) = components
        return .nanoseconds(
            Int(clamping: seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
        )
    }
}
