// SPDX-License-Identifier: Apache-2.0

/// The number of parts of a stream that are fetched at the same time, which adapts to the server.
///
/// The number doubles while more requests fetch more parts or more bytes per second in total, as
/// with a distant server. Otherwise, the number goes back, as with a line that one request fills.
/// After a server refuses or stalls requests, the number is halved. The ends of requests advance
/// the value.
struct PartParallelism: Hashable, Sendable {
    /// The number at the start, which every stream may use.
    static let first = 4
    /// The maximum number.
    static let maximum = 16
    /// The smallest gain of the rate that keeps a doubled number, as a fraction of the gain that
    /// equal requests would bring.
    private static let leastGain = 0.25
    /// The times between two trials after a failed trial.
    private static let pauses = (shortest: Duration.seconds(30), longest: Duration.seconds(480))

    /// The current number.
    private(set) var count: Int
    /// The number that later trials do not exceed.
    private var ceiling = maximum
    private var phase = Phase.measuring
    private var pause = pauses.shortest
    private var window: Window
    /// The time of the last reduction.
    ///
    /// Only refusals of later requests count.
    private var reduced: Duration?

    private enum Phase: Hashable {
        case measuring
        /// More requests run than `before`. The earlier number of requests had this rate.
        case trying(before: Int, rate: Rate)
        /// More requests did not help.
        case resting(until: Duration)
    }

    /// The parts and the bytes per second of all requests.
    ///
    /// Both values count, because the parts of one stream differ in size. The first part is often
    /// several times as large as the next parts.
    private struct Rate: Hashable {
        let parts: Double
        let bytes: Double

        func exceeds(_ other: Rate, by gain: Double) -> Bool {
            parts >= other.parts * (1 + gain) || bytes >= other.bytes * (1 + gain)
        }
    }

    /// The ends of as many requests as run at the same time.
    ///
    /// The window gives a rate that excludes the moments at which requests that started together
    /// also end together.
    private struct Window: Hashable {
        /// The number of running requests from before the window, which end first.
        var skipped: Int
        var begin: Duration
        var parts = 0
        var bytes: Int64 = 0
    }

    /// Creates the number for a download that starts.
    init() {
        count = Self.first
        window = Window(skipped: 0, begin: .zero)
    }

    /// Records a part that was fetched.
    ///
    /// - Parameters:
    ///   - bytes: The size of the part.
    ///   - instant: The time since the start of the download.
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

    /// Records a request that stalled, or that the server refused because of too many requests.
    ///
    /// Requests that started before the last reduction do not count, because that reduction already
    /// covers these requests.
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

    /// Returns the rate at the end of the window, or nil before.
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
