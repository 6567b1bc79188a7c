// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
internal import Dispatch

/// An actor that runs on the queue of the actor's bus connection.
protocol BusActor: Actor {
    /// The actor's executor, which `unownedExecutor` must also return.
    nonisolated var executor: BusExecutor { get }
}

extension BusActor {
    /// Runs `body` isolated to this actor.
    ///
    /// Call this method only on the actor's queue. Dispatch and sd-bus invoke their callbacks on
    /// the queue, which the compiler cannot see, so the isolation is assumed. The assumption holds
    /// because the queue is the actor's executor. The queue is serial, and the actor runs nowhere
    /// else. The runtime also checks the assumption through ``BusExecutor/checkIsolated()``, and a
    /// call from any other thread traps.
    nonisolated func onQueue<Result: Sendable>(
        _ body: (isolated Self) -> Result
    ) -> Result {
        assumeIsolated(body)
    }

    /// Runs `body` isolated to this actor later, in the order of these calls.
    ///
    /// The method returns immediately, for callers that cannot await.
    nonisolated func enqueue(_ body: @escaping @Sendable (isolated Self) -> Void) {
        executor.queue.async { self.onQueue(body) }
    }

    /// Runs `body` isolated to this actor after a delay, unless the actor is gone by then.
    nonisolated func after(
        _ delay: Duration,
        _ body: @escaping @Sendable (isolated Self) -> Void
    ) {
        executor.queue.asyncAfter(deadline: .now() + delay.asInterval, execute: callback(body))
    }

    /// Returns a callback that runs `body` isolated to this actor and does not retain the actor.
    ///
    /// The callback must be called on the actor's queue, and does nothing once the actor is gone.
    nonisolated func callback(
        _ body: @escaping @Sendable (isolated Self) -> Void
    ) -> @Sendable () -> Void {
        { [weak self] in self?.onQueue(body) }
    }

    /// Returns a callback with one argument that runs `body` isolated to this actor and does not
    /// retain the actor.
    ///
    /// The callback must be called on the actor's queue, and does nothing once the actor is gone.
    nonisolated func callback<Value: Sendable>(
        _ body: @escaping @Sendable (isolated Self, Value) -> Void
    ) -> @Sendable (Value) -> Void {
        { [weak self] value in self?.onQueue { body($0, value) } }
    }

    /// Returns a predicate that runs `body` isolated to this actor and does not retain the actor.
    ///
    /// The predicate must be called on the actor's queue, and returns false once the actor is gone.
    nonisolated func predicate<Value: Sendable>(
        _ body: @escaping @Sendable (isolated Self, Value) -> Bool
    ) -> @Sendable (Value) -> Bool {
        { [weak self] value in self?.onQueue { body($0, value) } ?? false }
    }
}

extension Duration {
    /// The duration as a Dispatch interval, in nanoseconds.
    var asInterval: DispatchTimeInterval {
        let (seconds, attoseconds) = components
        return .nanoseconds(
            Int(clamping: seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
        )
    }
}
#endif
