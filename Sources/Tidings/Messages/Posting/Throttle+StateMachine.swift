// SPDX-License-Identifier: Apache-2.0

/// What a throttle lets through and what waits, as a value.
///
/// Times are counted from any common moment.
struct ThrottleState<Element: Sendable>: Sendable {
    private let interval: Duration
    /// When the next one may be posted.
    private var opening = Duration.zero
    private var waiting: Element?
    private var isPosting = false
    private var isAlarmSet = false

    init(interval: Duration) {
        self.interval = interval
    }

    /// What the caller does after it has left the lock.
    enum Action {
        case none
        /// Post it, then say `finish`.
        case post(Element)
        /// Say `ring` at that time, and no more at any earlier one.
        case setAlarm(Duration)
    }

    /// Takes a new element, in place of the one that waits; that one leaves the lock with the
    /// result.
    mutating func arrive(_ element: Element, at now: Duration) -> (Action, replaced: Element?) {
        let replaced = waiting
        waiting = element
        return (proceed(at: now), replaced)
    }

    mutating func ring(at now: Duration) -> Action {
        isAlarmSet = false
        return proceed(at: now)
    }

    /// Ends a post.
    ///
    /// What came meanwhile is left to the alarm even if it is due: a poster posts once.
    mutating func finish() -> Action {
        isPosting = false
        return waiting == nil ? .none : setAlarm()
    }

    /// Ends the interval for what waits.
    mutating func flush(at now: Duration) -> Action {
        guard waiting != nil else { return .none }
        opening = now
        isAlarmSet = false
        return proceed(at: now)
    }

    /// Takes what waits.
    mutating func discard() -> Element? {
        isAlarmSet = false
        return waiting.take()
    }

    private mutating func proceed(at now: Duration) -> Action {
        guard !isPosting, waiting != nil else { return .none }
        guard now >= opening, let element = waiting.take() else { return setAlarm() }
        isPosting = true
        opening = now + interval
        return .post(element)
    }

    private mutating func setAlarm() -> Action {
        guard !isAlarmSet else { return .none }
        isAlarmSet = true
        return .setAlarm(opening)
    }
}

extension ThrottleState.Action: Equatable where Element: Equatable {}
