// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Foundation
import TidingsLock

#if os(Linux)
import CTidingsCrash
#endif

/// Repeatedly asks an actor to run a function, and reports a missing answer.
///
/// A separate thread asks, because the threads of the pool may hang.
final class HangWatch: Sendable {
    /// A hang that lasts.
    struct Hang: Sendable {
        /// The thread on which the actor ran last, or nil before the actor's first run.
        let thread: Int32?
        let limit: Duration
    }

    private struct State {
        var thread: Int32?
        var isOver = false
    }

    private let state = Lock(State())
    private let answers = DispatchSemaphore(value: 0)
    private let limit: Duration
    private let pause: Duration

    /// - Parameters:
    ///   - limit: The time after which the actor hangs.
    ///   - pause: The time between an answer and the next question.
    init(limit: Duration, pause: Duration) {
        self.limit = limit
        self.pause = pause
    }

    /// The thread on which the actor ran last, or nil before the actor's first run.
    var thread: Int32? { state.withLock(\.thread) }

    /// Ends the watch, whose thread ends at the latest after the pause.
    func stop() {
        state.withLock { $0.isOver = true }
        answers.signal()
    }

    /// Starts the thread.
    ///
    /// - Parameters:
    ///   - actor: The actor, which is not retained.
    ///   - onHang: Called once per hang, on the thread of the watch.
    ///   - onEnd: Called with the duration of a hang when the actor answers.
    ///   - whenOver: Called once at the end of the watch or the actor, on the thread of the watch.
    func start(
        _ actor: any Actor,
        onHang: @escaping @Sendable (Hang) -> Void,
        onEnd: @escaping @Sendable (Duration) -> Void,
        whenOver: @escaping @Sendable () -> Void = {}
    ) {
        let thread = Thread { [self, weak actor] in
            defer { whenOver() }
            while let begin = ask(actor) {
                if !answers.wait(within: limit) {
                    guard !state.withLock(\.isOver) else { return }
                    onHang(Hang(thread: self.thread, limit: limit))
                    answers.wait()
                    guard !state.withLock(\.isOver) else { return }
                    onEnd(ContinuousClock.now - begin)
                }
                guard !answers.wait(within: pause) else { return }
            }
        }
        thread.name = "hang-watch"
        thread.stackSize = 512 << 10
        thread.start()
    }

    /// Returns the time of the question, or nil at the end of the watch or the actor.
    private func ask(_ actor: (any Actor)?) -> ContinuousClock.Instant? {
        guard let actor, !state.withLock(\.isOver) else { return nil }
        Task.detached { [self] in await answer(on: actor) }
        return .now
    }

    private func answer(on actor: isolated any Actor) {
        state.withLock { $0.thread = HangWatch.currentThread }
        answers.signal()
    }

    /// The system's number of the calling thread, or nil where unknown.
    private static var currentThread: Int32? {
        #if os(Linux)
        tidings_crash_thread()
        #else
        nil
        #endif
    }
}

extension DispatchSemaphore {
    fileprivate func wait(within limit: Duration) -> Bool {
        wait(timeout: .now() + limit / .seconds(1)) == .success
    }
}
