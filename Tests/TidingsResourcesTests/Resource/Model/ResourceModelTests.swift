// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsCoreFixtures

@testable import TidingsResources

/// Random programs on a resource, compared with the promises.
///
/// ``ModelSettings`` describes how to run a failing seed again.
@MainActor
@Suite(.timeLimit(.minutes(ModelSettings().minutes)))
struct ResourceModelTests {
    @Test func aRandomProgramDoesExactlyWhatTheModelSays() async throws {
        let settings = ModelSettings()
        for seed in settings.programs(300) {
            let again = settings.replay(
                seed,
                test: "aRandomProgram",
                of: "TidingsResourcesTests.ResourceModelTests"
            )
            do {
                guard let difference = try await ResourceModelRun(seed: seed).run(40) else {
                    continue
                }
                Issue.record("\(difference)\nAgain: \(again)")
            } catch {
                Issue.record("\(error)\nAgain: \(again)")
            }
            return
        }
    }
}
