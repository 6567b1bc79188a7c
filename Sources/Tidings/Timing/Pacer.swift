// SPDX-License-Identifier: Apache-2.0
import TidingsLock

/// Passes the elements of one observation on at its pace, one at a time and in order.
///
/// An element passes on the thread that brings it, or on a thread of the runtime's pool when it is
/// due. No lock is held meanwhile.
final class Pacer<Element: Sendable>: Sendable {
    private let state: Lock<PaceState<Element>>
    private let timeline: Timeline
    private let timer = SleepTimer()
    private let pass: @Sendable (Element) -> Void
    private let end: @Sendable () -> Void

    /// - Parameters:
    ///   - pace: The pace.
    ///   - timeline: The timeline of the pace.
    ///   - pass: Called with each element that is due.
    ///   - end: Called once, after the last element passed.
    init(
        _ pace: Pace,
        on timeline: Timeline,
        pass: @escaping @Sendable (Element) -> Void,
        end: @escaping @Sendable () -> Void
    ) {
        state = Lock(PaceState(pace))
        self.timeline = timeline
        self.pass = pass
        self.end = end
    }

    func arrive(_ element: Element) {
        let now = timeline.now
        // The replaced element is released here, outside the lock.
        let (action, _) = state.withLock { $0.arrive(element, at: now) }
        perform(action)
    }

    /// Passes the pending element soon, and then ends.
    func close() {
        let now = timeline.now
        perform(state.withLock { $0.close(at: now) })
    }

    /// Drops the pending element.
    func discard() {
        // Cleared first: an element that arrives after the discard sets the timer for itself.
        timer.clear()
        // The element is released here, not under the lock, and its deinit may post again.
        let (action, dropped) = state.withLock { $0.discard() }
        withExtendedLifetime(dropped) {}
        perform(action)
    }

    private func perform(_ action: PaceState<Element>.Action) {
        switch action {
        case .none: break
        case .pass(let element):
            pass(element)
            perform(state.withLock { $0.finish() })
        case .setTimer(let deadline):
            // The timer keeps the pacer alive, and with it the pending element.
            timer.set(to: deadline, on: timeline) { [self] in
                let now = timeline.now
                perform(state.withLock { $0.ring(at: now) })
            }
        case .end: end()
        }
    }
}
