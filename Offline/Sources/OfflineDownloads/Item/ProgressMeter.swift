// SPDX-License-Identifier: Apache-2.0

/// Computes the speed of a download over the last five seconds.
package struct ProgressMeter: Hashable, Sendable {
    private struct Sample: Hashable {
        let instant: Duration
        let bytes: Int64
    }

    private static let window = Duration.seconds(5)
    private var samples: [Sample] = []

    /// Creates a meter without samples.
    package init() {}

    /// Adds a sample and returns the speed.
    ///
    /// - Parameters:
    ///   - bytes: The bytes received so far. A smaller number than the previous number starts a new
    ///     attempt and drops the earlier samples.
    ///   - instant: The time since a fixed moment.
    /// - Returns: The speed in bytes per second, or nil before half a second of samples.
    package mutating func sample(_ bytes: Int64, at instant: Duration) -> Double? {
        if let last = samples.last, bytes < last.bytes { samples = [] }
        samples.append(Sample(instant: instant, bytes: bytes))
        while let first = samples.first, samples.count > 2, instant - first.instant > Self.window {
            samples.removeFirst()
        }
        guard let first = samples.first else { return nil }
        let seconds = (instant - first.instant) / .seconds(1)
        guard seconds >= 0.5 else { return nil }
        return Double(bytes - first.bytes) / seconds
    }
}
