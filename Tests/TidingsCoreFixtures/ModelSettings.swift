// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The number and the choice of random programs to run.
///
/// - `TIDINGS_MODEL_SEED`: the first program's seed. Each further seed is greater by one. Without
///   further settings, only the program of this seed runs, 1,000 times if it has several threads.
/// - `TIDINGS_SEED`: the seed of the run, which determines the first program's seed if the first
///   setting is missing. Without both settings, every run has the same programs. `make soak` sets a
///   different seed each time.
/// - `TIDINGS_MODEL_PROGRAMS`: the number of programs of each kind.
/// - `TIDINGS_MODEL_SECONDS`: the time for each kind, instead of a number.
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
    /// The number of runs of a program with several threads, which is large for a single program.
    package var repetitions: Int { isReplay && count == nil && seconds == nil ? 1_000 : 1 }
    private let isReplay: Bool
    private let count: Int?
    private let seconds: Int?

    package init(_ environment: [String: String] = ProcessInfo.processInfo.environment) {
        let seed = environment["TIDINGS_MODEL_SEED"].flatMap(SeededGenerator.number)
        var random = SeededGenerator(1, ofRun: SeededGenerator.seed(environment))
        firstSeed = seed ?? random.next()
        isReplay = seed != nil
        count = environment["TIDINGS_MODEL_PROGRAMS"].flatMap(Int.init)
        seconds = environment["TIDINGS_MODEL_SECONDS"].flatMap(Int.init)
    }

    /// Returns the seeds to run, as many as `count` unless the environment has another setting.
    package func programs(_ count: Int) -> Programs {
        Programs(
            seed: firstSeed,
            left: self.count ?? (isReplay ? 1 : count),
            end: seconds.map { .now + .seconds($0) }
        )
    }

    /// The time limit in minutes: at least five, or the time from the environment and some more.
    package var minutes: Int {
        max(5, seconds.map { $0 / 60 + 3 } ?? 0)
    }

    /// Returns the command that repeats a failure.
    package func replay(_ seed: UInt64, test: String, of suite: String) -> String {
        let seed = "0x" + String(seed, radix: 16)
        return "TIDINGS_MODEL_SEED=\(seed) swift test --filter '\(suite)/\(test)'"
    }
}
