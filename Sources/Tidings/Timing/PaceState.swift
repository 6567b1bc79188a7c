// SPDX-License-Identifier: Apache-2.0

/// The rate at which an observation receives elements.
enum Pace: Hashable, Sendable {
    /// The first element immediately, then the newest, at most one in each interval.
    case throttled(Duration)
    /// The newest element, after this time without a further element.
    case debounced(Duration)
    /// The newest element at the end of each interval in which an element arrived.
    case sampled(Duration)

    var interval: Duration {
        switch self {
        case .throttled(let interval), .debounced(let interval), .sampled(let interval): interval
        }
    }
}

/// The decision about which elements pass a pace and which element waits, as a value.
///
/// Times are relative to any common moment.
struct PaceState<Element: Sendable>: Sendable {
    private let pace: Pace
    private var waiting: Element?
    /// The time at which the pending element or a newer element may pass.
    private var due = Duration.zero
    private var isPassing = false
    private var isTimerSet = false
    private var isClosed = false

    init(_ pace: Pace) {
        self.pace = pace
    }

    /// The action for the caller after the lock was released.
    enum Action {
        case none
        /// Pass the element on, then call `finish`.
        case pass(Element)
        /// Call `ring` at that time.
        case setTimer(Duration)
        /// Do nothing more, because the pace has ended.
        case end
    }

    /// Replaces the pending element with a new element.
    ///
    /// The caller releases the replaced element outside the lock.
    mutating func arrive(_ element: Element, at now: Duration) -> (Action, replaced: Element?) {
        let replaced = waiting
        waiting = element
        switch pace {
        case .throttled: break
        case .debounced(let interval): due = now + interval
        case .sampled(let interval): if replaced == nil { due = interval.multiple(after: now) }
        }
        return (proceed(at: now), replaced)
    }

    mutating func ring(at now: Duration) -> Action {
        isTimerSet = false
        return proceed(at: now)
    }

    /// Ends the passing of an element.
    ///
    /// An element that arrived during the passing waits for the timer even if the element is due,
    /// so that a poster passes only one.
    mutating func finish() -> Action {
        isPassing = false
        if waiting != nil { return setTimer() }
        return isClosed ? .end : .none
    }

    /// Lets the pending element pass at the next timer, whatever the pace, as the last element.
    mutating func close(at now: Duration) -> Action {
        isClosed = true
        due = now
        isTimerSet = false
        if isPassing { return .none }
        return waiting == nil ? .end : setTimer()
    }

    /// Takes the pending element, to be released outside the lock.
    ///
    /// The pending element of a closed pace is the last element and has lost the timer, so the
    /// returned action ends the pace.
    mutating func discard() -> (Action, dropped: Element?) {
        isTimerSet = false
        let isLast = isClosed && !isPassing && waiting != nil
        return (isLast ? .end : .none, waiting.take())
    }

    private mutating func proceed(at now: Duration) -> Action {
        guard !isPassing, waiting != nil else { return .none }
        guard now >= due, let element = waiting.take() else { return setTimer() }
        isPassing = true
        if case .throttled(let interval) = pace { due = now + interval }
        return .pass(element)
    }

    private mutating func setTimer() -> Action {
        guard !isTimerSet else { return .none }
        isTimerSet = true
        return .setTimer(due)
    }
}

extension PaceState.Action: Equatable where Element: Equatable {}

extension Duration {
    /// Returns the first multiple of this interval after a time.
    fileprivate func multiple(after time: Duration) -> Duration {
        self * (time.attoseconds / attoseconds + 1)
    }
}
