// SPDX-License-Identifier: Apache-2.0
import TidingsLock

/// Passes on the elements of one observation at a pace, one at a time and in order.
///
/// An element passes on the poster's thread or, when the element becomes due later, on a thread of
/// the runtime's pool. No lock is held while an element passes.
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
        // The timer is cleared first, because an element that arrives after the discard sets a new
        // timer.
        timer.clear()
        // The element is released here and not under the lock, because an element's deinit may post
        // again.
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
            // The timer keeps the pacer and the pending element alive.
            timer.set(to: deadline, on: timeline) { [self] in
                let now = timeline.now
                perform(state.withLock { $0.ring(at: now) })
            }
        case .end: end()
        }
    }
}
