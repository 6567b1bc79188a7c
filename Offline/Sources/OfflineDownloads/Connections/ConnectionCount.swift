// SPDX-License-Identifier: Apache-2.0

/// The number of connections for one file, which adapts to the server.
///
/// The number doubles while more connections receive more bytes in total, as with servers that
/// limit each connection. Otherwise, the number goes back. A fast connection stays alone. The
/// measurements of a download advance the value.
struct ConnectionCount: Hashable, Sendable {
    /// The state of the download at a measurement.
    struct Measurement: Hashable, Sendable {
        /// The time since the start of the download.
        let instant: Duration
        /// The number of received bytes.
        let received: Int64
        /// The number of missing bytes.
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
    /// The smallest number of missing bytes that justifies a further connection.
    static let leastMissing: Int64 = 4 << 20
    /// The shortest time that one connection must need for the missing bytes to justify a further
    /// connection.
    private static let leastTime = 2.0
    /// The time over which a rate counts, and the number of bytes that a rate over a short time
    /// requires.
    private static let window = (shortest: 0.3, longest: 2.0, bytes: Int64(128 << 10))
    /// The time that further connections have to receive their first bytes.
    private static let patience = Duration.seconds(5)
    /// The times between two trials after a failed trial.
    private static let pauses = (shortest: Duration.seconds(30), longest: Duration.seconds(480))

    /// The current number.
    private(set) var count = 1
    /// The number above which the server refuses connections.
    private(set) var limit: Int
    private var phase = Phase.measuring
    private var pause = pauses.shortest
    /// The measurement from which the current rate counts.
    private var begin: Measurement?

    private enum Phase: Hashable {
        case measuring
        /// More connections are in use than the number `before`.
        case trying(before: Int, rate: Double, since: Duration)
        /// More connections did not help.
        case resting(until: Duration)
    }

    /// Creates a count of one connection.
    init(limit: Int = maximum) {
        self.limit = limit
    }

    /// Whether the next measurements decide about the number and must therefore be frequent.
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

    /// Reduces the number for other downloads from the same host.
    ///
    /// A later trial may increase the number again.
    mutating func yield(to running: Int, at instant: Duration) {
        count = max(1, min(count, running))
        phase = .resting(until: instant + Self.pauses.shortest)
        isUrgent = false
    }

    /// Returns the rate since the start of the window, or nil until the window is long enough.
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
        // The trial has to bring half of the gain that connections of the same rate would bring.
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
