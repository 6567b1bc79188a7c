// SPDX-License-Identifier: Apache-2.0

/// The number of items that download at the same time, which adapts to the bandwidth.
///
/// The count grows while more simultaneous downloads receive more bytes in total, as with servers
/// that limit each connection. Otherwise, the count goes back. One measurement per second advances
/// the value.
struct PlaceCount: Hashable, Sendable {
    /// The bounds of a count that adapts.
    static let automatic = 3...16
    /// The number of measurements with all places in use before and during a trial.
    private static let settling = 2
    /// The numbers of measurements between two trials after a failed trial.
    private static let pauses = 30...480

    /// The current number of places.
    private(set) var count: Int
    private var bounds: ClosedRange<Int>
    private var phase = Phase.measuring(fastest: 0, left: settling)
    private var pause = pauses.lowerBound

    private enum Phase: Hashable {
        /// All places are in use. A trial has to exceed the fastest measurement.
        case measuring(fastest: Double, left: Int)
        /// More places are in use than the number `before`.
        case trying(before: Int, rate: Double, fastest: Double, left: Int)
        /// More places did not help.
        case resting(left: Int)
    }

    /// Creates a count at the lower bound.
    ///
    /// Equal bounds fix the count.
    init(_ bounds: ClosedRange<Int> = automatic) {
        self.bounds = bounds
        count = bounds.lowerBound
    }

    /// Whether the count never changes by itself.
    var isFixed: Bool { bounds.count == 1 }

    /// Replaces the bounds and drops the measurements.
    mutating func change(to bounds: ClosedRange<Int>) {
        guard bounds != self.bounds else { return }
        let former = count
        self = PlaceCount(bounds)
        count = min(max(former, bounds.lowerBound), bounds.upperBound)
    }

    /// Records the total rate of the last second, in bytes per second.
    ///
    /// - Parameters:
    ///   - rate: The total of all downloads.
    ///   - isFull: Whether all places are in use and another item waits for a place. Other
    ///     measurements show nothing about a further place.
    mutating func measure(_ rate: Double, isFull: Bool) {
        switch phase {
        case .resting(let left):
            phase =
                left > 1 ? .resting(left: left - 1) : .measuring(fastest: 0, left: Self.settling)
        case .measuring(let fastest, let left) where isFull:
            let fastest = max(fastest, rate)
            if left > 1 || fastest == 0 {
                phase = .measuring(fastest: fastest, left: max(1, left - 1))
            } else {
                tryMore(than: fastest)
            }
        case .trying(let before, let old, let fastest, let left):
            let fastest = max(fastest, rate)
            if left > 1 {
                phase = .trying(before: before, rate: old, fastest: fastest, left: left - 1)
            } else {
                finishTrial(from: before, at: old, to: fastest, isFull: isFull)
            }
        case .measuring:
            phase = .measuring(fastest: 0, left: Self.settling)
        }
    }

    private mutating func tryMore(than rate: Double) {
        guard count < bounds.upperBound else { return }
        phase = .trying(before: count, rate: rate, fastest: 0, left: Self.settling)
        count = min(bounds.upperBound, count * 2)
    }

    private mutating func finishTrial(
        from before: Int,
        at old: Double,
        to rate: Double,
        isFull: Bool
    ) {
        // The trial has to bring half of the gain that places of the same rate would bring.
        let expected = old * (1 + Double(count - before) / Double(before) / 2)
        if rate >= expected {
            pause = Self.pauses.lowerBound
            phase = .measuring(fastest: 0, left: Self.settling)
            if isFull { tryMore(than: rate) }
        } else {
            count = before
            phase = .resting(left: pause)
            pause = min(Self.pauses.upperBound, pause * 2)
        }
    }
}
