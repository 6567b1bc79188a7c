// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Random numbers of one test, which the seed of the run repeats.
///
/// `TIDINGS_SEED` sets the seed of the run, in decimal or as `0x…`. By default it is 0, and every
/// run draws the same numbers. The description is the comment of each expectation on drawn values:
///
/// ```swift
/// var random = SeededGenerator(7)
/// #expect(isSound(Int.random(in: 0..<9, using: &random)), "\(random)")
/// ```
///
/// An element of a set or a dictionary must be drawn from a sorted copy, because the order of
/// elements differs between processes.
package struct SeededGenerator: RandomNumberGenerator, Sendable {
    /// The seed of this run.
    package static let seedOfRun = seed(ProcessInfo.processInfo.environment)

    /// The seed of the run in which these numbers are drawn.
    package let seed: UInt64
    private var numbers: SplitMix64

    /// Creates a generator with the numbers of one test in one run.
    ///
    /// - Parameters:
    ///   - number: The number of the test, so that two tests draw different numbers.
    ///   - seed: The seed of the run.
    package init(_ number: UInt64, ofRun seed: UInt64 = seedOfRun) {
        self.seed = seed
        numbers = SplitMix64(seed: number &+ seed &* 0xD6E8_FEB8_6659_FD93)
    }

    package mutating func next() -> UInt64 { numbers.next() }

    /// The setting that repeats the numbers.
    package var replay: String { "TIDINGS_SEED=0x" + String(seed, radix: 16) }

    /// Returns the seed that the environment sets, or 0.
    package static func seed(_ environment: [String: String]) -> UInt64 {
        guard let text = environment["TIDINGS_SEED"] else { return 0 }
        guard let seed = number(text) else {
            preconditionFailure("TIDINGS_SEED is “\(text)”. Use a number such as 7 or 0x1f.")
        }
        return seed
    }

    /// Returns a seed in decimal or as `0x…`, or nil if the string is neither.
    package static func number(_ text: String) -> UInt64? {
        text.hasPrefix("0x") ? UInt64(text.dropFirst(2), radix: 16) : UInt64(text)
    }
}

extension SeededGenerator: CustomStringConvertible {
    package var description: String { replay }
}
