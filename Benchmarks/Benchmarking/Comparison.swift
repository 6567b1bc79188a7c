// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Two subjects measured alternately, and the median of the ratios of adjacent measurements.
///
/// Other load on the machine affects both halves of a pair, so ratios are stable when times are
/// not.
package struct Comparison {
    /// The median time in nanoseconds.
    package let subject: Double
    /// The median time in nanoseconds.
    package let reference: Double
    /// The median ratio, subject divided by reference.
    let ratio: Double

    /// The test run, which only checks that each row runs, sets `TIDINGS_BENCHMARK_PAIRS` to 1.
    private static let pairCount =
        ProcessInfo.processInfo.environment["TIDINGS_BENCHMARK_PAIRS"].flatMap { Int($0) } ?? 11

    /// Measures both subjects.
    package init(_ subject: Subject, with reference: Subject) {
        let counts = (subject.calibratedCount(), reference.calibratedCount())
        // The first subject of a pair changes the caches for the second, so the order alternates.
        let pairs = (0..<Self.pairCount).map { number in
            if number.isMultiple(of: 2) {
                let first = subject.nanoseconds(counts.0)
                return (first, reference.nanoseconds(counts.1))
            }
            let first = reference.nanoseconds(counts.1)
            return (subject.nanoseconds(counts.0), first)
        }
        self.subject = median(pairs.map(\.0))
        self.reference = median(pairs.map(\.1))
        ratio = median(pairs.map { $0.0 / $0.1 })
    }
}

private func median(_ values: [Double]) -> Double {
    values.sorted()[values.count / 2]
}
