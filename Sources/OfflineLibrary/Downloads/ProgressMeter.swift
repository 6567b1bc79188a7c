// SPDX-License-Identifier: Apache-2.0

/// Turns byte counts at instants into a speed: that of the last five seconds.
package struct ProgressMeter: Hashable, Sendable {
    private struct Sample: Hashable {
        let at: Duration
        let bytes: Int64
    }

    private static let window = Duration.seconds(5)
    private var samples: [Sample] = []

    package init() {}

    /// Takes a sample and returns the speed in bytes a second, nil while there is too little to
    /// tell.
    ///
    /// `bytes` is what this attempt received so far, a smaller number begins a new attempt;
    /// `instant` is the time since any fixed moment.
    package mutating func sample(_ bytes: Int64, at instant: Duration) -> Double? {
        if let last = samples.last, bytes < last.bytes { samples = [] }
        samples.append(Sample(at: instant, bytes: bytes))
        while let first = samples.first, samples.count > 2, instant - first.at > Self.window {
            samples.removeFirst()
        }
        guard let first = samples.first else { return nil }
        let seconds = (instant - first.at) / .seconds(1)
        guard seconds >= 0.5 else { return nil }
        return Double(bytes - first.bytes) / seconds
    }
}
