// SPDX-License-Identifier: Apache-2.0
import Foundation

/// How many random programs are run, and which.
///
/// - `TIDINGS_MODEL_SEED`: the first program's seed; the next ones follow it by one. Without it
///   every run has other programs. Alone it runs that program only, one of several threads 1,000
///   times.
/// - `TIDINGS_MODEL_PROGRAMS`: how many programs of each kind.
/// - `TIDINGS_MODEL_SECONDS`: for how long instead, for each kind.
package struct ModelSettings: Sendable {
    /// The programs of one kind in the order in which they are run.
    package struct Programs: Sequence, IteratorProtocol {
        fileprivate var seed: UInt64
        fileprivate var left: Int
        fileprivate let end: ContinuousClock.Instant?

        package mutating func next() -> UInt64? {
            if let end {
                guard ContinuousClock.now < end else { return nil }
            } else if left == 0 {
                return nil
            }
            left -= 1
            defer { seed &+= 1 }
            return seed
        }
    }

    package let firstSeed: UInt64
    /// How often a program of several threads is run: often if it is the only one.
    package var repetitions: Int { isReplay && count == nil && seconds == nil ? 1_000 : 1 }
    private let isReplay: Bool
    private let count: Int?
    private let seconds: Int?

    package init(_ environment: [String: String] = ProcessInfo.processInfo.environment) {
        let seed = environment["TIDINGS_MODEL_SEED"].flatMap { text in
            text.hasPrefix("0x") ? UInt64(text.dropFirst(2), radix: 16) : UInt64(text)
        }
        firstSeed = seed ?? UInt64.random(in: 0...UInt64.max)
        isReplay = seed != nil
        count = environment["TIDINGS_MODEL_PROGRAMS"].flatMap(Int.init)
        seconds = environment["TIDINGS_MODEL_SECONDS"].flatMap(Int.init)
    }

    /// The seeds to run; as many as `count` unless the environment says something else.
    package func programs(_ count: Int) -> Programs {
        Programs(
            seed: firstSeed,
            left: self.count ?? (isReplay ? 1 : count),
            end: seconds.map { .now + .seconds($0) }
        )
    }

    /// The time limit in minutes: a few, or what the environment asks for and two more.
    package var minutes: Int {
        max(5, seconds.map { $0 / 60 + 3 } ?? 0)
    }

    /// What to do to see a failure again.
    package func replay(_ seed: UInt64, test: String, of suite: String) -> String {
        let seed = "0x" + String(seed, radix: 16)
        return "TIDINGS_MODEL_SEED=\(seed) swift test --filter '\(suite)/\(test)'"
    }
}
