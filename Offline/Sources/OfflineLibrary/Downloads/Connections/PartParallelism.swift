// SPDX-License-Identifier: Apache-2.0

/// The number of parts of a stream that are fetched at once, which adapts to the server.
///
/// It doubles while more requests fetch more parts or more bytes per second in total, as with a
/// distant server, and goes back if they do not, as with a line that one request fills. A server
/// that refuses or stalls requests gets half of them. A value, which the ends of requests advance.
struct PartParallelism: Hashable, Sendable {
    /// The number at the beginning, which every stream may have.
    static let first = 4
    /// The maximum number.
    static let maximum = 16
    /// The least gain of the rate with which a doubled number stays, of the gain that equal
    /// requests would bring.
    private static let leastGain = 0.25
    /// The times between two trials after a failed one.
    private static let pauses = (shortest: Duration.seconds(30), longest: Duration.seconds(480))

    /// The current number.
    private(set) var count: Int
    /// The number that later trials do not exceed.
    private var ceiling = maximum
    private var phase = Phase.measuring
    private var pause = pauses.shortest
    private var window: Window
    /// The time of the last reduction, after which a refusal counts again.
    private var reduced: Duration?

    private enum Phase: Hashable {
        case measuring
        /// More requests run than `before`, which had this rate.
        case trying(before: Int, rate: Rate)
        /// More requests did not help.
        case resting(until: Duration)
    }

    /// The parts and the bytes per second of all requests.
    ///
    /// Both count, because the parts of one stream differ in size: the first one is often several
    /// times as large as the next ones.
    private struct Rate: Hashable {
        let parts: Double
        let bytes: Double

        func exceeds(_ other: Rate, by gain: Double) -> Bool {
            parts >= other.parts * (1 + gain) || bytes >= other.bytes * (1 + gain)
        }
    }

    /// The ends of as many requests as run at once, which give a rate without the moments at which
    /// requests that began together also end together.
    private struct Window: Hashable {
        /// The requests of the earlier number, which end first.
        var skipped: Int
        var begin: Duration
        var parts = 0
        var bytes: Int64 = 0
    }

    /// Creates the number for a download that begins.
    init() {
        count = Self.first
        window = Window(skipped: 0, begin: .zero)
    }

    /// Records a part that was fetched.
    ///
    /// - Parameters:
    ///   - bytes: The size of the part.
    ///   - instant: The time since the download began.
    ///   - running: The number of requests that still run.
    ///   - permitted: The number of requests that may run.
    mutating func finish(_ bytes: Int64, at instant: Duration, running: Int, permitted: Int) {
        if case .resting(let end) = phase {
            guard instant >= end else { return }
            measure(.measuring, at: instant, skipping: running)
            return
        }
        guard let rate = rate(bytes, at: instant) else { return }
        if case .trying(let before, let old) = phase {
            let gain = Double(count - before) / Double(before) * Self.leastGain
            guard rate.exceeds(old, by: gain) else { return giveUp(to: before, at: instant) }
            pause = Self.pauses.shortest
        }
        let more = min(count * 2, ceiling, permitted)
        guard more > count else { return measure(.measuring, at: instant, skipping: 0) }
        let before = count
        count = more
        measure(.trying(before: before, rate: rate), at: instant, skipping: running)
    }

    /// Records a request that the server refused for its number, or that stalled.
    ///
    /// Requests that began before the last reduction do not count, because they belong to it.
    mutating func refuse(begunAt begin: Duration, at instant: Duration) {
        guard reduced.map({ begin >= $0 }) ?? true else { return }
        reduced = instant
        ceiling = max(1, count - 1)
        giveUp(to: max(1, count / 2), at: instant)
    }

    private mutating func giveUp(to count: Int, at instant: Duration) {
        self.count = count
        phase = .resting(until: instant + pause)
        pause = min(Self.pauses.longest, pause * 2)
    }

    private mutating func measure(_ phase: Phase, at instant: Duration, skipping skipped: Int) {
        self.phase = phase
        window = Window(skipped: skipped, begin: instant)
    }

    /// Returns the rate of the window at its end; nil before.
    private mutating func rate(_ bytes: Int64, at instant: Duration) -> Rate? {
        guard window.skipped == 0 else {
            window.skipped -= 1
            window.begin = instant
            return nil
        }
        window.parts += 1
        window.bytes += bytes
        let seconds = (instant - window.begin) / .seconds(1)
        guard window.parts >= count, seconds > 0 else { return nil }
        return Rate(parts: Double(window.parts) / seconds, bytes: Double(window.bytes) / seconds)
    }
}
