// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import TidingsCoreFixtures

/// Hundreds of random programs, compared with the promises.
///
/// ``ModelSettings`` describes how to run a failing seed again.
@Suite(.serialized, .timeLimit(.minutes(ModelSettings().minutes)))
struct ModelTests {
    private let settings = ModelSettings()
    /// The counts are small, because `make soak` runs other programs for longer.
    private let counts = (sequential: 500, concurrent: 250)

    @Test func aProgramOfOneThreadDoesExactlyWhatTheModelSays() async {
        let test = "aProgramOfOneThread"
        for (index, seed) in settings.programs(counts.sequential).enumerated() {
            if index % 500 == 0 { announce(seed, test) }
            let program = ModelGenerator.sequential(seed: seed)
            guard let difference = await SequentialCheck.run(program) else { continue }
            let smallest = await SequentialCheck.shrink(program)
            report(seed, test, await SequentialCheck.run(smallest) ?? difference, smallest)
            return
        }
    }

    /// A seed repeats the program and not the order of its threads.
    ///
    /// A given seed therefore runs many times, and the events of a failing run are printed.
    @Test func programsOfSeveralThreadsKeepThePromises() async {
        let test = "programsOfSeveralThreads"
        for (index, seed) in settings.programs(counts.concurrent).enumerated() {
            if index % 500 == 0 { announce(seed, test) }
            let program = ModelGenerator.concurrent(seed: seed)
            for _ in 0..<settings.repetitions {
                let (violations, logs) = await withTaskCancellationHandler {
                    await ConcurrentCheck.run(program)
                } onCancel: {
                    say(
                        "It does not end: \(settings.replay(seed, test: test, of: "TidingsTests.ModelTests"))"
                    )
                }
                guard !violations.isEmpty else { continue }
                if settings.repetitions > 1 { say(logs.lines.joined(separator: "\n")) }
                report(seed, test, violations.prefix(10).joined(separator: "\n"), program)
                return
            }
        }
    }

    /// Prints the seed in advance, because a crash or a race prints no seed.
    private func announce(_ seed: UInt64, _ test: String) {
        say(
            "500 programs from: \(settings.replay(seed, test: test, of: "TidingsTests.ModelTests"))"
        )
    }

    private func say(_ text: String) {
        FileHandle.standardError.write(Data("\(text)\n".utf8))
    }

    private func report(_ seed: UInt64, _ test: String, _ text: String, _ program: ModelProgram) {
        Issue.record(
            """
            \(text)
            Again: \(settings.replay(seed, test: test, of: "TidingsTests.ModelTests"))
            \(program)
            """
        )
    }
}
