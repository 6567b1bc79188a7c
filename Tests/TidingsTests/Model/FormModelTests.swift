// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsCoreFixtures

/// Random programs of observations in every form on several threads, with and without a pace,
/// compared with the contract.
///
/// ``ModelSettings`` describes how to run a failing seed again.
@Suite(.timeLimit(.minutes(ModelSettings().minutes)))
struct FormModelTests {
    @Test func randomProgramsKeepTheContractOfEveryForm() async {
        let settings = ModelSettings()
        for seed in settings.programs(250) {
            let again = settings.replay(
                seed,
                test: "randomPrograms",
                of: "TidingsTests.FormModelTests"
            )
            let program = FormProgram(seed: seed)
            for _ in 0..<settings.repetitions {
                do {
                    let violations = try await FormRun(program).run()
                    guard !violations.isEmpty else { continue }
                    let text = violations.prefix(10).joined(separator: "\n")
                    Issue.record("\(text)\nAgain: \(again)")
                } catch {
                    // A center that does not finish names the observations that are still running.
                    Issue.record("\(error)\nAgain: \(again)")
                }
                return
            }
        }
    }
}
