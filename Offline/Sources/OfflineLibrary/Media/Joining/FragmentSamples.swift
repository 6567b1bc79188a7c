// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Chooses the segments of a stream to decode as samples of all of them.
///
/// Another encoding seldom has the same rate of bytes, and often lasts to the end.
enum FragmentSamples {
    /// The most segments to choose.
    static let limit = 24
    /// The number of segments at least, however large they are.
    private static let least = 4
    /// The bytes to decode.
    private static let byteLimit = 256 << 20

    /// Returns the numbers of the segments in order: the first and the last one, those at which
    /// the rate of bytes changes most, and evenly spread ones.
    ///
    /// - Parameters:
    ///   - sizes: The bytes of each segment.
    ///   - durations: The seconds of each segment.
    /// - Returns: The numbers.
    static func numbers(_ sizes: [Int], _ durations: [Double]) -> [Int] {
        let count = sizes.count
        let mean = max(1, sizes.reduce(0, +) / max(1, count))
        let limit = max(least, min(limit, byteLimit / mean))
        guard count > limit else { return Array(0..<count) }
        let rates = zip(sizes, durations).map { log(Double($0 + 1) / max($1, 0.01)) }
        let jumps = (1..<count).sorted { first, second in
            abs(rates[first] - rates[first - 1]) > abs(rates[second] - rates[second - 1])
        }
        var numbers: Set = [0, count - 1]
        numbers.formUnion(jumps.prefix(limit / 2 - 1))
        let rest = limit - numbers.count
        numbers.formUnion((0..<rest).map { ($0 + 1) * (count - 1) / (rest + 1) })
        return numbers.sorted()
    }
}
