// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import TidingsCoreFixtures

/// Random faults of the server, the connections, the processes and the handlers.
///
/// ``ModelSettings`` describes how to run a failing seed again. A seed repeats the schedule and not
/// the order of the threads, so a given seed runs many times.
@Suite(.serialized, .timeLimit(.minutes(ModelSettings().minutes)))
struct FaultScheduleTests {
    @Test func b4_b5_b7_b9_randomFaultsLoseSwapAndRepeatNothing() async throws {
        try await run(.durable, test: "b4_b5_b7_b9")
    }

    @Test func b4_b5_b8_randomFaultsLoseNoSharedWorkAndGiveItToOneProcess() async throws {
        try await run(.shared, test: "b4_b5_b8")
    }

    @Test func b6_b7_b9_randomFaultsLoseNoTransientMessageWithoutACount() async throws {
        try await run(.transient, test: "b6_b7_b9")
    }

    @Test func b10_randomFaultsLeaveAllProcessesWithTheNewestState() async throws {
        try await run(.state, test: "b10")
    }

    @Test func b4_b5_b7_b11_randomLossesOfAStreamAreReported() async throws {
        try await run(.stream, test: "b4_b5_b7_b11")
    }

    private func run(_ kind: FaultSchedule.Kind, test: String) async throws {
        let settings = ModelSettings()
        for (index, seed) in settings.programs(10).enumerated() {
            let again = settings.replay(
                seed,
                test: test,
                of: "TidingsBridgeTests.FaultScheduleTests"
            )
            // A crash prints no seed, so the seed is printed in advance.
            if index % 100 == 0 { say("100 schedules from: \(again)") }
            let schedule = FaultSchedule(kind, seed: seed)
            for _ in 0..<settings.repetitions {
                let violations = try await ScheduleRun(schedule).run()
                guard !violations.isEmpty else { continue }
                let text = violations.prefix(10).joined(separator: "\n")
                Issue.record("\(text)\nAgain: \(again)\n\(schedule)")
                return
            }
        }
    }

    private func say(_ text: String) {
        FileHandle.standardError.write(Data("\(text)\n".utf8))
    }
}
