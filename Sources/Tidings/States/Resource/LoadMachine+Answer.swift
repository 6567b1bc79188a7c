// SPDX-License-Identifier: Apache-2.0

extension LoadMachine {
    /// What an attempt brought.
    enum Answer: Sendable {
        case data
        /// An error, and how long the policy waits before the next attempt, if there is one.
        case failure(any Error, retryAfter: Duration?)
    }

    /// What is to be done about an answer.
    enum Verdict: Sendable {
        /// Nothing: the load ended before.
        case ignore
        /// Apply it; the load is over.
        case apply(Load)
        /// Apply nothing, for something was written since; the load is over.
        case discard(Load)
        /// Load again now.
        case again
        /// Load again after a delay.
        case retry(Duration)
    }

    /// Decides on the answer of a load's attempt.
    ///
    /// - Parameters:
    ///   - number: Which load it belongs to.
    ///   - answer: What it brought.
    ///   - stamp: The present.
    /// - Returns: What to do.
    mutating func finish(_ number: Int, _ answer: Answer, at stamp: Stamp) -> Verdict {
        guard var load, load.number == number else { return .ignore }
        if load.isOutdated || load.stamp.invalidations != stamp.invalidations {
            self.load = load.next(attempt: 1, at: stamp)
            return .again
        }
        if case .failure(let error, let delay?) = answer {
            load.rest = .error(error)
            self.load = load.next(attempt: load.attempt + 1, at: stamp)
            return .retry(delay)
        }
        self.load = nil
        if load.stamp.writes != stamp.writes { return .discard(load) }
        return .apply(load)
    }

    /// Ends a load that a fresh copy makes unnecessary; nil if it goes on, because it has ended,
    /// because somebody wants what the source has, or because something was written or invalidated
    /// since it began.
    mutating func takeCopy(for number: Int, at stamp: Stamp) -> Load? {
        guard let load, load.number == number, !load.isForced, load.waiters.isEmpty,
            !load.isOutdated, load.stamp == stamp
        else { return nil }
        return self.load.take()
    }

    /// Begins the attempt that waited; false if its load has ended.
    mutating func beginRetry(of number: Int, at stamp: Stamp) -> Bool {
        guard let load, load.number == number else { return false }
        // What was written or invalidated while it waited was so before it begins.
        self.load = load.next(attempt: load.attempt, at: stamp)
        return true
    }
}

extension LoadMachine.Load {
    fileprivate func next(attempt: Int, at stamp: LoadMachine.Stamp) -> Self {
        var next = self
        next.attempt = attempt
        next.stamp = stamp
        next.isOutdated = false
        return next
    }
}
