// SPDX-License-Identifier: Apache-2.0

/// The rate at which an observation receives elements.
enum Pace: Hashable, Sendable {
    /// The first element at once, then the newest, at most one in each interval.
    case throttled(Duration)
    /// The newest element, after this time without another one.
    case debounced(Duration)
    /// The newest element at the end of each interval in which one arrived.
    case sampled(Duration)

    var interval: Duration {
        switch self {
        case .throttled(let interval), .debounced(let interval), .sampled(let interval): interval
        }
    }
}

/// The decision which element passes a pace and which one waits, as a value.
///
/// Times are relative to any common moment.
struct PaceState<Element: Sendable>: Sendable {
    private let pace: Pace
    private var waiting: Element?
    /// The time at which the pending element, or a newer one, may pass.
    private var due = Duration.zero
    private var isPassing = false
    private var isTimerSet = false
    private var isClosed = false

    init(_ pace: Pace) {
        self.pace = pace
    }

    /// The action for the caller after it has released the lock.
    enum Action {
        case none
        /// Pass the element on, then call `finish`.
        case pass(Element)
        /// Call `ring` at that time.
        case setTimer(Duration)
        /// Do nothing more: the pace has ended.
        case end
    }

    /// Replaces the pending element with a new one; returns the old one for release outside the
    /// lock.
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
    /// An element that arrived meanwhile waits for the timer even if it is due, so that a poster
    /// passes only one.
    mutating func finish() -> Action {
        isPassing = false
        if waiting != nil { return setTimer() }
        return isClosed ? .end : .none
    }

    /// Lets the pending element pass at the next timer, whatever the pace; it is the last one.
    mutating func close(at now: Duration) -> Action {
        isClosed = true
        due = now
        isTimerSet = false
        if isPassing { return .none }
        return waiting == nil ? .end : setTimer()
    }

    /// Takes the pending element, to be released outside the lock.
    ///
    /// Of a closed pace it was the last one, whose timer is gone: the end follows here.
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
