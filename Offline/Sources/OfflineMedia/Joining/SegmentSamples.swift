// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Chooses the segments of a stream to read as samples of the whole stream.
package enum SegmentSamples {
    /// The largest number of segments to choose.
    static let limit = 48

    /// Returns the numbers of the chosen segments in order: the first and the last segment, the
    /// segments at which the rate of bytes changes most, and evenly spread segments.
    ///
    /// Another encoding seldom has the same rate of bytes, and often lasts to the end.
    ///
    /// - Parameters:
    ///   - sizes: The bytes of each segment.
    ///   - durations: The seconds of each segment.
    /// - Returns: The numbers.
    package static func numbers(_ sizes: [Int], _ durations: [Double]) -> [Int] {
        let count = sizes.count
        guard count > limit else { return Array(0..<count) }
        let rates = zip(sizes, durations).map { log(Double($0 + 1) / max($1, 0.01)) }
        let changes = (1..<count).sorted { first, second in
            abs(rates[first] - rates[first - 1]) > abs(rates[second] - rates[second - 1])
        }
        var numbers: Set = [0, count - 1]
        numbers.formUnion(changes.prefix(limit / 2 - 1))
        let rest = limit - numbers.count
        numbers.formUnion((0..<rest).map { ($0 + 1) * (count - 1) / (rest + 1) })
        return numbers.sorted()
    }
}
