// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import offline

@Suite(.serialized, .timeLimit(.minutes(5)))
struct InterruptionTests {
    @Test func anIgnoredSignalStaysIgnored() {
        let before = signal(SIGHUP, SIG_IGN)
        #expect(Interruption.isIgnored(SIGHUP))
        signal(SIGHUP, SIG_DFL)
        #expect(!Interruption.isIgnored(SIGHUP))
        signal(SIGHUP, before)
    }

    @Test func everySignalAfterTheCallArrives() async {
        // The second round finds what the first one left.
        for _ in 1...2 {
            let signals = Interruption.signals()
            kill(getpid(), SIGINT)
            #expect(await signals.first { _ in true } == SIGINT)
        }
    }

    @Test func aRepeatedSignalHasItsUsualEffect() async {
        let signals = Interruption.signals()
        kill(getpid(), SIGINT)
        _ = await signals.first { _ in true }
        var action = sigaction()
        sigaction(SIGINT, nil, &action)
        #expect(unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 0)
        withExtendedLifetime(signals) {}
    }

    @Test func aSignalCancelsTheWork() async throws {
        let outcome = try await Interruption.race {
            kill(getpid(), SIGINT)
            for await _ in AsyncStream<Void>.makeStream().stream {}
            return Task.isCancelled
        }
        #expect(outcome == nil)
    }
}
