// SPDX-License-Identifier: Apache-2.0
import TidingsLock

/// Deliveries of one home that wait for the main actor, in order.
///
/// Whoever delivers on the main actor runs what waits first, so no handler sees a later value
/// before an earlier one.
final class MainQueue: Sendable {
    private let waiting = Lock(Waiting())

    /// Queues a call for the main actor.
    ///
    /// - Parameters:
    ///   - call: Made on the main actor.
    ///   - home: The sender, kept alive until the call was made. What its handlers post is queued
    ///     as in every other delivery.
    func append(_ call: MainCall, for home: any AnyObject & Sendable) {
        if waiting.withLock({ $0.append(call) }) { schedule(for: home) }
    }

    /// Queues a delivery that nothing bounds and nobody waits for.
    func append(for home: any AnyObject & Sendable, _ delivery: @escaping @Sendable () -> Void) {
        append(MainCall(nil, MainCall.Work(run: delivery, drop: {})), for: home)
    }

    /// Whether nothing waits.
    var isEmpty: Bool { waiting.withLock { $0.count } == 0 }

    /// Runs what waits now.
    ///
    /// The caller is on the main actor.
    func drain(for home: any AnyObject & Sendable) {
        // One at a time: a handler may post, and that post must find what still waits here.
        for _ in 0..<waiting.withLock({ $0.count }) {
            guard let call = waiting.withLock({ $0.popFirst() }) else { return }
            call.run(for: home)
        }
    }

    /// Says that a call was dropped that may still have its place here.
    func noteDrop() {
        withExtendedLifetime(waiting.withLock { $0.noteDrop() }) {}
    }

    /// A drain takes what waits when it begins and then makes room for others on the main actor.
    private func schedule(for home: any AnyObject & Sendable) {
        // Detached: the drain serves all posters, so it inherits no task-local value of this one.
        Task.detached { @MainActor [self] in
            drain(for: home)
            if waiting.withLock({ $0.finishDrain() }) { schedule(for: home) }
        }
    }
}

extension MainQueue {
    /// What waits, as a value.
    struct Waiting: Sendable {
        private var calls = Fifo<MainCall>()
        private var isScheduled = false
        /// How many were dropped since the dropped were last taken out.
        private var drops = 0

        var count: Int { calls.count }

        /// Adds a call and says whether a drain must be scheduled for it.
        mutating func append(_ call: MainCall) -> Bool {
            calls.append(call)
            defer { isScheduled = true }
            return !isScheduled
        }

        mutating func popFirst() -> MainCall? {
            calls.popFirst()
        }

        /// Takes the dropped out once most may be that; returns them for the caller to release.
        mutating func noteDrop() -> Fifo<MainCall>? {
            drops += 1
            guard drops > 64, drops > calls.count / 2 else { return nil }
            drops = 0
            let all = calls
            calls = all.filter { !$0.isDropped }
            return all
        }

        /// Ends a scheduled drain and says whether another one must follow.
        mutating func finishDrain() -> Bool {
            isScheduled = !calls.isEmpty
            return isScheduled
        }
    }
}
