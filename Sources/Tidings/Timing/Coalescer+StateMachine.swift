// SPDX-License-Identifier: Apache-2.0

/// The gathered elements of a coalescer, as a value.
///
/// The caller folds the elements of each key into one element, outside the lock, because comparing
/// keys runs the user's code. The caller folds before posting, and during gathering whenever the
/// number of elements has doubled. Times are relative to any common moment.
struct CoalescerState<Element: Sendable>: Sendable {
    /// The minimum number of gathered elements that triggers an early fold.
    static var foldingSize: Int { 64 }

    private let interval: Duration
    private var gathered: [Element] = []
    /// The time at which the gathered elements are due.
    private var deadline: Duration?
    private var foldingSize = Self.foldingSize
    private var isPosting = false
    private var isFolding = false
    /// Whether elements were discarded during their folding.
    private var isFoldStale = false
    private var isTimerSet = false

    init(interval: Duration) {
        self.interval = interval
    }

    /// The action for the caller after the lock was released.
    enum Action {
        case none
        /// Fold the elements, then call `finishFolding`.
        case fold([Element])
        /// Fold and post the elements, then call `finishPosting`.
        case post([Element])
        /// Call `ring` at that time, and not at any earlier time that was set before.
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

    /// Puts the folded elements back before the newer elements, or returns discarded elements as
    /// stale.
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
    /// Elements that arrived during the round wait for the timer even if they are due.
    mutating func finishPosting() -> Action {
        isPosting = false
        return setTimer()
    }

    /// Ends the interval for the gathered elements.
    mutating func flush(at now: Duration) -> Action {
        guard deadline != nil else { return .none }
        deadline = now
        isTimerSet = false
        return proceed(at: now)
    }

    /// Removes and returns the gathered elements.
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
