// SPDX-License-Identifier: Apache-2.0

/// The number of connections for one file, which adapts to the server.
///
/// It doubles while more connections receive more bytes in total, as with servers that limit each
/// connection, and goes back if they do not. A fast connection stays alone. A value that the
/// measurements of a download advance.
struct ConnectionCount: Hashable, Sendable {
    /// The state of the download at a measurement.
    struct Measurement: Hashable, Sendable {
        /// The time since the download began.
        let instant: Duration
        /// The bytes that it has received.
        let received: Int64
        /// The bytes that are missing.
        let missing: Int64
        /// Whether each connection has received bytes.
        let isFlowing: Bool
        /// The number of connections that the server's host may have for this file.
        let permitted: Int
    }

    /// The maximum number of connections.
    static let maximum = 4
    /// The rate in bytes per second with which a connection stays alone.
    static let sufficientRate = 16_000_000.0
    /// The least number of missing bytes for a further connection.
    static let leastMissing: Int64 = 4 << 20
    /// The least time that one connection would need for them.
    private static let leastTime = 2.0
    /// The time over which a rate counts, and the bytes that a slow connection needs for one.
    private static let window = (shortest: 0.3, longest: 2.0, bytes: Int64(128 << 10))
    /// The time that further connections have to receive their first bytes.
    private static let patience = Duration.seconds(5)
    /// The times between two trials after a failed one.
    private static let pauses = (shortest: Duration.seconds(30), longest: Duration.seconds(480))

    /// The current number.
    private(set) var count = 1
    /// The number above which the server refuses connections.
    private(set) var limit: Int
    private var phase = Phase.measuring
    private var pause = pauses.shortest
    /// The measurement since which a rate counts.
    private var begin: Measurement?

    private enum Phase: Hashable {
        case measuring
        /// More connections are in use than `count` had before.
        case trying(before: Int, rate: Double, since: Duration)
        /// More connections did not help.
        case resting(until: Duration)
    }

    /// Creates a count of one connection.
    init(limit: Int = maximum) {
        self.limit = limit
    }

    /// Whether the next measurements decide about the number, so that they must be frequent.
    private(set) var isUrgent = true

    /// Records a measurement.
    mutating func measure(_ now: Measurement) {
        switch phase {
        case .resting(let end):
            guard now.instant >= end else { return }
            phase = .measuring
            begin = nil
        case .trying(_, _, let since) where !now.isFlowing:
            begin = nil
            if now.instant - since > Self.patience { endTrial(successful: false, at: now.instant) }
        case .measuring, .trying:
            guard let rate = rate(at: now) else { return }
            decide(rate, now)
        }
    }

    /// Ends trials for this download, because the server refuses more connections.
    mutating func refuse(_ running: Int) {
        limit = max(1, running)
        count = min(count, limit)
        phase = .measuring
        isUrgent = false
    }

    /// Reduces the number for other downloads from the same host; a later trial may increase it.
    mutating func yield(to running: Int, at instant: Duration) {
        count = max(1, min(count, running))
        phase = .resting(until: instant + Self.pauses.shortest)
        isUrgent = false
    }

    /// Returns the rate since the begin of the window; nil until it is long enough.
    private mutating func rate(at now: Measurement) -> Double? {
        guard let begin else {
            if now.isFlowing { self.begin = now }
            return nil
        }
        let seconds = (now.instant - begin.instant) / .seconds(1)
        let bytes = now.received - begin.received
        let isLong = seconds >= Self.window.shortest && bytes >= Self.window.bytes
        guard isLong || seconds >= Self.window.longest else { return nil }
        self.begin = now
        return Double(bytes) / seconds
    }

    private mutating func decide(_ rate: Double, _ now: Measurement) {
        guard case .trying(let before, let old, _) = phase else {
            return tryMore(rate, now)
        }
        // Half of the gain that connections of the same rate would bring.
        let expected = old * (1 + Double(count - before) / Double(before) / 2)
        endTrial(successful: rate >= expected, at: now.instant)
        if rate >= expected { tryMore(rate, now) }
    }

    private mutating func endTrial(successful: Bool, at instant: Duration) {
        guard case .trying(let before, _, _) = phase else { return }
        if successful {
            pause = Self.pauses.shortest
            phase = .measuring
        } else {
            count = before
            phase = .resting(until: instant + pause)
            pause = min(Self.pauses.longest, pause * 2)
            isUrgent = false
        }
    }

    private mutating func tryMore(_ rate: Double, _ now: Measurement) {
        let more = min(count * 2, limit, now.permitted)
        let isSlow = rate > 0 && rate / Double(count) < Self.sufficientRate
        let isWorthwhile =
            now.missing >= Self.leastMissing && Double(now.missing) / max(1, rate) >= Self.leastTime
        isUrgent = isSlow && isWorthwhile && more > count
        guard isUrgent else { return }
        phase = .trying(before: count, rate: rate, since: now.instant)
        begin = nil
        count = more
    }
}
