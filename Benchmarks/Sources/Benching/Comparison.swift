// SPDX-License-Identifier: Apache-2.0

/// Two subjects measured in turns, and the median of the ratios of neighbouring turns.
///
/// Other load on the machine hits both halves of a pair alike, so ratios hold still where times
/// do not.
package struct Comparison {
    /// Nanoseconds, the median.
    let subject: Double
    /// Nanoseconds, the median.
    let reference: Double
    /// Subject divided by reference.
    let ratio: Double

    private static let pairCount = 11

    init(_ subject: Subject, with reference: Subject) {
        let counts = (subject.calibratedCount(), reference.calibratedCount())
        // Whoever is second finds the caches as the other one left them: take turns in that, too.
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
