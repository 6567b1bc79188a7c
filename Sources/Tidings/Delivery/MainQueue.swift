// SPDX-License-Identifier: Apache-2.0
import Dispatch
import TidingsLock

/// The pending deliveries of one home to the main actor, in order.
///
/// A delivery on the main actor runs the pending calls first, so no handler receives a later value
/// before an earlier one.
final class MainQueue: Sendable {
    private let waiting = Lock(Waiting())

    /// Queues a call for the main actor.
    ///
    /// - Parameters:
    ///   - call: The call to make on the main actor.
    ///   - home: The sender, kept alive until the call was made. Posts by the sender's handlers are
    ///     queued as in every other delivery.
    func append(_ call: MainCall, for home: any AnyObject & Sendable) {
        if waiting.withLock({ $0.append(call) }) { schedule(for: home) }
    }

    /// Queues a delivery without a buffer limit and without a waiting poster.
    func append(for home: any AnyObject & Sendable, _ delivery: @escaping @Sendable () -> Void) {
        append(MainCall(nil, MainCall.Work(run: delivery, drop: {})), for: home)
    }

    /// Whether no call is pending.
    var isEmpty: Bool { waiting.withLock { $0.count } == 0 }

    /// Runs the calls that are pending now.
    ///
    /// The caller is on the main actor.
    func drain(for home: any AnyObject & Sendable) {
        // The calls are taken separately, because a handler may post, and that post must find the
        // remaining calls still pending here.
        for _ in 0..<waiting.withLock({ $0.count }) {
            guard let call = waiting.withLock({ $0.popFirst() }) else { return }
            call.run(for: home)
        }
    }

    /// Records a dropped call, which may still have a place in this queue.
    func noteDrop() {
        withExtendedLifetime(waiting.withLock { $0.noteDrop() }) {}
    }

    /// Schedules a drain, which runs the calls pending at the start of the drain and then lets
    /// other work use the main actor.
    private func schedule(for home: any AnyObject & Sendable) {
        // The task is detached, because the drain serves all posters and must not inherit a
        // task-local value of this poster.
        Task.detached { @MainActor [self] in
            drain(for: home)
            if waiting.withLock({ $0.finishDrain() }) { schedule(for: home) }
        }
    }
}

extension MainQueue {
    /// The pending calls, as a value.
    struct Waiting: Sendable {
        private var calls = Fifo<MainCall>()
        private var isScheduled = false
        /// The number of drops since the dropped calls were last removed.
        private var drops = 0

        var count: Int { calls.count }

        /// Adds a call and returns whether a drain must be scheduled for it.
        mutating func append(_ call: MainCall) -> Bool {
            calls.append(call)
            defer { isScheduled = true }
            return !isScheduled
        }

        mutating func popFirst() -> MainCall? {
            calls.popFirst()
        }

        /// Removes the dropped calls once they may be the majority.
        ///
        /// Returns the old queue for the caller to release.
        mutating func noteDrop() -> Fifo<MainCall>? {
            drops += 1
            guard drops > 64, drops > calls.count / 2 else { return nil }
            drops = 0
            let all = calls
            calls = all.filter { !$0.isDropped }
            return all
        }

        /// Ends a scheduled drain and returns whether another drain must follow.
        mutating func finishDrain() -> Bool {
            isScheduled = !calls.isEmpty
            return isScheduled
        }
    }
}

extension MessageCenter {
    /// Calls `action` on the main actor, after all handlers of this center that are pending there
    /// now.
    package func callOnMainActor(_ action: @escaping @Sendable () -> Void) {
        mainQueue.append(for: self, action)
    }
}

/// Checks whether the calling thread is on the main actor now.
///
/// Neither the thread nor the task shows this. In a program with an asynchronous `main`, the main
/// actor moves between threads. A task has no isolation to check while the task runs a synchronous
/// function. The main queue, which is the main actor's executor, does show this.
enum MainActorCheck {
    private static let key = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    static var isOnMainActor: Bool {
        DispatchQueue.getSpecific(key: key) == true
    }
}
