// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// Thousands of random programs, compared with what the promises say.
///
/// ``ModelSettings`` says how a failing seed is run again.
@Suite(.serialized, .timeLimit(ModelSettings().timeLimit))
struct ModelTests {
    private let settings = ModelSettings()

    @Test func aProgramOfOneThreadDoesExactlyWhatTheModelSays() async {
        let test = "aProgramOfOneThread"
        announce(test)
        for seed in settings.programs(2_000) {
            let program = ModelGenerator.sequential(seed: seed)
            guard let difference = await SequentialCheck.run(program) else { continue }
            let smallest = await SequentialCheck.shrink(program)
            report(seed, test, await SequentialCheck.run(smallest) ?? difference, smallest)
            return
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
