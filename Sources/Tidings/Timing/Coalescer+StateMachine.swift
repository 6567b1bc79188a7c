// SPDX-License-Identifier: Apache-2.0

/// What a coalescer gathers, as a value.
///
/// Elements of one key are folded into one by the caller, outside the lock, because comparing keys
/// is the user's code: before they are posted, and while they are gathered whenever their number
/// has doubled. Times are counted from any common moment.
struct CoalescerState<Element: Sendable>: Sendable {
    /// How many are gathered, at least, before they are folded early.
    static var foldingSize: Int { 64 }

    private let interval: Duration
    private var gathered: [Element] = []
    /// When what is gathered is to be posted.
    private var deadline: Duration?
    private var foldingSize = Self.foldingSize
    private var isPosting = false
    private var isFolding = false
    /// What is being folded was discarded meanwhile.
    private var isFoldStale = false
    private var isTimerSet = false

    init(interval: Duration) {
        self.interval = interval
    }

    /// What the caller does after it has left the lock.
    enum Action {
        case none
        /// Fold them, then say `finishFolding`.
        case fold([Element])
        /// Fold and post them, then say `finishPosting`.
        case post([Element])
        /// Say `ring` at that time, and no more at any earlier one.
        case setTimer(Duration)
    }

    mutating func arrive(_ element: Element, at now: Duration) -> Action {
        gathered.append(element)
        if deadline == nil { deadline = now + interval }
        guard gathered.count >= foldingSize, !isFolding else { return setTimer() }
        isFolding = true
        return .fold(takeGathered())
    }

    mutating func ring(at now: Duration) -> Action {
        isTimerSet = false
        return proceed(at: now)
    }

    /// Puts what was folded back in front of what came meanwhile; returns it if it was discarded.
    mutating func finishFolding(_ folded: [Element]) -> (Action, stale: [Element]) {
        isFolding = false
        if isFoldStale {
            isFoldStale = false
            return (setTimer(), folded)
        }
        gathered = folded + gathered
        foldingSize = max(Self.foldingSize, 2 * folded.count)
        return (setTimer(), [])
    }

    /// Ends a round of posts.
    ///
    /// What came meanwhile is left to the timer even if it is due.
    mutating func finishPosting() -> Action {
        isPosting = false
        return setTimer()
    }

    /// Ends the interval for what is gathered.
    mutating func flush(at now: Duration) -> Action {
        guard deadline != nil else { return .none }
        deadline = now
        isTimerSet = false
        return proceed(at: now)
    }

    /// Takes what is gathered.
    mutating func discard() -> [Element] {
        isTimerSet = false
        isFoldStale = isFolding
        deadline = nil
        return takeGathered()
    }

    private mutating func proceed(at now: Duration) -> Action {
        guard !isPosting, !isFolding, let deadline else { return .none }
        guard now >= deadline else { return setTimer() }
        isPosting = true
        self.deadline = nil
        foldingSize = Self.foldingSize
        return .post(takeGathered())
    }

    private mutating func setTimer() -> Action {
        guard !isPosting, !isFolding, !isTimerSet, let deadline else { return .none }
        isTimerSet = true
        return .setTimer(deadline)
    }

    private mutating func takeGathered() -> [Element] {
        defer { gathered = [] }
        return gathered
    }
}

extension CoalescerState.Action: Equatable where Element: Equatable {}
