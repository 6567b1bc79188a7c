// SPDX-License-Identifier: Apache-2.0

/// The decision when to fetch a live playlist again, and when to expect nothing more.
///
/// The pace is a value without tasks. The times may come from any steady clock. A wait counts only
/// up to a minute, so that a suspended machine or a jump of the clock does not end a recording.
package struct LivePace: Hashable, Sendable {
    /// The next step of a recording.
    package enum Step: Hashable, Sendable {
        case wait(Duration)
        case end(LiveEnd)
    }

    /// The time after which a playlist that the server refuses counts as gone.
    static let goneLimit = Duration.seconds(120)
    /// The time without a new segment after which a stream counts as ended.
    static let silenceLimit = Duration.seconds(1_800)
    /// The limits of the target duration, which apply whatever a playlist states.
    static let targets = Duration.seconds(1)...Duration.seconds(60)
    /// The shortest wait between two requests.
    static let leastWait = Duration.milliseconds(250)

    private var target = Duration.seconds(4)
    private var last: Duration?
    private var silence = Duration.zero
    private var absence = Duration.zero

    /// Creates the pace of a stream without a playlist yet.
    package init() {}

    /// Records a playlist.
    ///
    /// - Parameters:
    ///   - target: The stated target duration in seconds.
    ///   - isChanged: Whether the playlist had new segments.
    ///   - begin: The time at which the request started.
    ///   - now: The time at which the response was complete.
    /// - Returns: The next step.
    package mutating func succeed(
        target: Int,
        isChanged: Bool,
        since begin: Duration,
        at now: Duration
    ) -> Step {
        self.target = min(max(.seconds(target), Self.targets.lowerBound), Self.targets.upperBound)
        let elapsed = elapsed(to: now)
        absence = .zero
        silence = isChanged ? .zero : silence + elapsed
        if silence >= Self.silenceLimit { return .end(.silent) }
        return .wait(wait(isChanged ? self.target : self.target / 2, since: begin, at: now))
    }

    /// Records a failure.
    ///
    /// - Parameters:
    ///   - isFinal: Whether the server responded that the playlist does not exist.
    ///   - retryAfter: The delay that the server requires.
    ///   - begin: The time at which the request started.
    ///   - now: The time at which the request failed.
    /// - Returns: The next step.
    package mutating func fail(
        isFinal: Bool,
        retryAfter: Duration? = nil,
        since begin: Duration,
        at now: Duration
    ) -> Step {
        let elapsed = elapsed(to: now)
        silence += elapsed
        absence = isFinal ? absence + elapsed : .zero
        if absence >= Self.goneLimit { return .end(.gone) }
        if silence >= Self.silenceLimit { return .end(.silent) }
        let required = min(retryAfter ?? .zero, Self.targets.upperBound)
        return .wait(max(wait(target / 2, since: begin, at: now), required))
    }

    /// Returns the time since the last result, at most a minute.
    private mutating func elapsed(to now: Duration) -> Duration {
        defer { last = now }
        guard let last else { return .zero }
        return min(max(now - last, .zero), Self.targets.upperBound)
    }

    /// Returns the rest of an interval that started with the request.
    private func wait(_ interval: Duration, since begin: Duration, at now: Duration) -> Duration {
        max(interval - max(now - begin, .zero), Self.leastWait)
    }
}
