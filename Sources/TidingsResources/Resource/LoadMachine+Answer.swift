// SPDX-License-Identifier: Apache-2.0

extension LoadMachine {
    /// The result of an attempt.
    enum Answer: Sendable {
        case data
        /// An error, with the delay before the next attempt if the policy retries.
        case failure(any Error, retryAfter: Duration?)
    }

    /// The action for an answer.
    enum Verdict: Sendable {
        /// Ignore the answer, because the load has already ended.
        case ignore
        /// Apply the answer and end the load.
        case apply(Load)
        /// Drop the answer because of a later write, and end the load.
        case discard(Load)
        /// Load again now.
        case again
        /// Load again after a delay.
        case retry(Duration)
    }

    /// Returns the action for the answer of an attempt.
    ///
    /// - Parameters:
    ///   - number: The number of the load.
    ///   - answer: The result of the attempt.
    ///   - stamp: The current stamp.
    /// - Returns: The action.
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

    /// Ends a load that a fresh copy makes unnecessary.
    ///
    /// The method returns nil if the load has already ended, if a requester needs the source's
    /// current data, or if there was a write or an invalidation since the start of the load.
    mutating func takeCopy(for number: Int, at stamp: Stamp) -> Load? {
        guard let load, load.number == number, !load.isForced, load.waiters.isEmpty,
            !load.isOutdated, load.stamp == stamp
        else { return nil }
        return self.load.take()
    }

    /// Starts the next attempt after the delay, or returns false if the load has ended.
    mutating func beginRetry(of number: Int, at stamp: Stamp) -> Bool {
        guard let load, load.number == number else { return false }
        // Writes and invalidations during the delay precede the attempt.
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
