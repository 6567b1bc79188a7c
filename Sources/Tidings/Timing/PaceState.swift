// SPDX-License-Identifier: Apache-2.0

/// How often an observation receives elements.
enum Pace: Hashable, Sendable {
    /// The first one at once, then the newest, at most one in each interval.
    case throttled(Duration)
    /// The newest one, once no other came for this time.
    case debounced(Duration)
    /// The newest one at the end of each interval in which one came.
    case sampled(Duration)

    var interval: Duration {
        switch self {
        case .throttled(let interval), .debounced(let interval), .sampled(let interval): interval
        }
    }
}

/// Which element passes a pace and which one waits, as a value.
///
/// Times are counted from any common moment.
struct PaceState<Element: Sendable>: Sendable {
    private let pace: Pace
    private var waiting: Element?
    /// When the element that waits, or a later one, may pass.
    private var due = Duration.zero
    private var isPassing = false
    private var isTimerSet = false
    private var isClosed = false

    init(_ pace: Pace) {
        self.pace = pace
    }

    /// What the caller does after it has left the lock.
    enum Action {
        case none
        /// Pass it on, then call `finish`.
        case pass(Element)
        /// Call `ring` at that time.
        case setTimer(Duration)
        /// Nothing follows.
        case end
    }

    /// Takes a new element, in place of the one that waits, which leaves the lock with the result.
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
    /// One that came meanwhile is left to the timer even if it is due: a poster passes one.
    mutating func finish() -> Action {
        isPassing = false
        if waiting != nil { return setTimer() }
        return isClosed ? .end : .none
    }

    /// Lets what waits pass at the next timer, whatever the pace; nothing follows.
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
    /// The first multiple of this interval after a time.
    fileprivate func multiple(after time: Duration) -> Duration {
        self * (time.attoseconds / attoseconds + 1)
    }
}
