// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import offline

/// Tests that each run in a separate process, because signals belong to the whole process.
@Suite(.timeLimit(.minutes(15)))
struct InterruptionTests {
    @Test func anIgnoredSignalStaysIgnored() async {
        await #expect(processExitsWith: .success) {
            signal(SIGHUP, SIG_IGN)
            #expect(Interruption.isIgnored(SIGHUP))
            signal(SIGHUP, SIG_DFL)
            #expect(!Interruption.isIgnored(SIGHUP))
        }
    }

    @Test func everySignalAfterTheCallArrives() async {
        await #expect(processExitsWith: .success) {
            // The second round starts with the state that the first round left.
            for _ in 1...2 {
                let signals = Interruption.signals()
                kill(getpid(), SIGINT)
                #expect(await signals.first { _ in true } == SIGINT)
            }
        }
    }

    @Test func aRepeatedSignalHasItsUsualEffect() async {
        await #expect(processExitsWith: .success) {
            let signals = Interruption.signals()
            kill(getpid(), SIGINT)
            _ = await signals.first { _ in true }
            var action = sigaction()
            sigaction(SIGINT, nil, &action)
            #expect(unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 0)
            withExtendedLifetime(signals) {}
        }
    }

    @Test func aSignalCancelsTheWork() async {
        await #expect(processExitsWith: .success) {
            let outcome = try await Interruption.race {
                kill(getpid(), SIGINT)
                for await _ in AsyncStream<Void>.makeStream().stream {}
                return Task.isCancelled
            }
            #expect(outcome == nil)
        }
    }
}
