// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TidingsLock

/// One call that waits for the main actor.
final class MainCall: Sendable {
    /// The call, and the closure that replaces a dropped call.
    struct Work: Sendable {
        let run: @Sendable () -> Void
        let drop: @Sendable () -> Void
    }

    private let work: Lock<Work?>
    let mainBuffer: MainActorBuffer?
    private let dropped = Atomic(false)

    init(_ mainBuffer: MainActorBuffer?, _ work: Work) {
        self.mainBuffer = mainBuffer
        self.work = Lock(work)
    }

    /// Whether the call was dropped and only occupies a place in the queue.
    var isDropped: Bool { dropped.load(ordering: .relaxed) }

    /// Takes the call out of the main-actor buffer and makes the call, unless it was dropped.
    func run(for home: any AnyObject & Sendable) {
        if let mainBuffer, !mainBuffer.take(self) { return }
        guard let work = takeWork() else { return }
        DeliveryThread.current.deliver(for: home, work.run)
    }

    /// Drops the call and the message.
    ///
    /// The main-actor buffer no longer contains the call.
    func drop() {
        dropped.store(true, ordering: .relaxed)
        takeWork()?.drop()
    }

    private func takeWork() -> Work? {
        work.withLock { work in
            defer { work = nil }
            return work
        }
    }
}

/// The outcome of one call.
package enum CallOutcome: Sendable {
    case called
    /// The call waits in a queue to run where the handler belongs.
    case queued
    /// The observation has ended.
    case ended
    /// The observation is blocked, or the filter rejected the message.
    case skipped
    /// The owner or subject has expired.
    case expired
}
