// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// Thousands of random programs, compared with what the promises say.
///
/// ``ModelSettings`` says how a failing seed is run again.
@Suite(.serialized, .timeLimit(ModelSettings().timeLimit))
struct ModelTests {
    private let settings = ModelSettings()
    #if THREAD_SANITIZER
    private let counts = (sequential: 500, concurrent: 300)
    #else
    private let counts = (sequential: 2_000, concurrent: 800)
    #endif

    @Test func aProgramOfOneThreadDoesExactlyWhatTheModelSays() async {
        let test = "aProgramOfOneThread"
        announce(test)
        for seed in settings.programs(counts.sequential) {
            let program = ModelGenerator.sequential(seed: seed)
            guard let difference = await SequentialCheck.run(program) else { continue }
            let smallest = await SequentialCheck.shrink(program)
            report(seed, test, await SequentialCheck.run(smallest) ?? difference, smallest)
            return
        }
    }

    /// A seed repeats the program and not what the threads make of it: it is run many times, and
    /// what happened in a run that fails is printed.
    @Test func programsOfSeveralThreadsKeepThePromises() async {
        let test = "programsOfSeveralThreads"
        announce(test)
        for seed in settings.programs(counts.concurrent) {
            let program = ModelGenerator.concurrent(seed: seed)
            for _ in 0..<(settings.isReplay ? 1_000 : 1) {
                let (violations, logs) = await ConcurrentCheck.run(program)
                guard !violations.isEmpty else { continue }
                if settings.isReplay { print(logs.lines.joined(separator: "\n")) }
                report(seed, test, violations.prefix(10).joined(separator: "\n"), program)
                return
            }
        }
    }

    /// A crash prints nothing, so where to begin is said before.
    private func announce(_ test: String) {
        print("model test: \(settings.replay(settings.firstSeed, test: test))")
    }

    private func report(_ seed: UInt64, _ test: String, _ text: String, _ program: ModelProgram) {
        Issue.record(
            """
            \(text)
            Again: \(settings.replay(seed, test: test))
            \(program)
            """
        )
    }
}
