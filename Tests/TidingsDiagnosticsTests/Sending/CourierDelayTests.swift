// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import Tidings
import TidingsTesting

@testable import TidingsDiagnostics

@Suite(.timeLimit(.minutes(5)))
struct CourierDelayTests {
    private static func failed() -> ReportReceipt { ReportReceipt(.failed("reset")) }

    private static func limited(_ seconds: Int) -> ReportReceipt {
        ReportReceipt(.limited, pauses: [.error: .seconds(seconds)])
    }

    @Test func promise18_failuresAreTriedAgainAfterGrowingDelaysUnderOneIdentifier() async throws {
        let stage = try CourierStage((1...4).map { _ in Self.failed() })
        stage.spool.add(.made(7))
        stage.courier.wake()
        for (number, delay) in [1, 2, 4, 8].enumerated() {
            _ = try await stage.sink.deliveries(number + 1)
            try await stage.clock.waitForSleepers()
            stage.clock.advance(by: .seconds(delay) - .milliseconds(10))
            #expect(stage.sink.deliveries.count == number + 1)
            stage.clock.advance(by: .milliseconds(10))
        }
        _ = try await stage.sink.deliveries(5)
        #expect(await stage.rest())
        #expect(stage.sent == [7, 7, 7, 7, 7])
        #expect(Set(stage.sink.deliveries.compactMap(\.report?.id)).count == 1)
        #expect(stage.store.state.failures == 0)
    }

    @Test func promise18_aDelayIsKeptWhateverComesAndOverARestart() async throws {
        let stage = try CourierStage([Self.failed()])
        stage.spool.add(.made(1))
        #expect(await !stage.rest())
        stage.spool.add(.made(2))
        stage.courier.wake()
        #expect(await !stage.rest())
        #expect(stage.sent == [1])
        await stage.courier.close()
        let next = try CourierStage(in: stage.place, consent: nil)
        next.courier.wake()
        #expect(await !next.rest())
        #expect(next.sent.isEmpty)
        try await next.advance(by: .seconds(1))
        _ = try await next.sink.deliveries(2)
        #expect(await next.rest())
        #expect(next.sent == [1, 2])
    }

    @Test func promise18_whySendingFailsAndWhenItIsTriedAgainIsKnown() async throws {
        let key = "0123456789abcdef0123456789abcdef"
        let reason = "https://\(key)@errors.example/7?a=b did not answer; try again later. \(key)"
        let stage = try CourierStage([ReportReceipt(.failed(reason))])
        #expect(stage.store.state.sendingFailure == nil)
        stage.spool.add(.made(1))
        await stage.rest()
        let state = ReporterStore(directory: stage.place.path).state
        let failure = try #require(state.sendingFailure)
        #expect(failure.kind == .failed && failure.date == stage.now)
        #expect(failure.message.contains("errors.example/7"))
        #expect(failure.message.contains("did not answer; try again later."))
        #expect(!failure.message.contains("0123456789"))
        #expect(failure.retry == stage.now + 1)
        stage.courier.sendNow()
        #expect(await stage.rest())
        #expect(stage.store.state.sendingFailure == nil)
    }

    @Test func whatAServerRefusesOrLimitsIsKnown() async throws {
        let stage = try CourierStage([
            ReportReceipt(.refused("No such project; check the DSN.")),
            ReportReceipt(.accepted),
            ReportReceipt(.limited, pauses: [.error: .seconds(30)]),
        ])
        for second in 1...3 { stage.spool.add(.made(second)) }
        await stage.rest()
        #expect(stage.store.state.lastFailure?.kind == .limited)
        #expect(stage.store.state.sendingFailure?.retry == stage.now + 30)
        let other = try CourierStage([ReportReceipt(.refused("No such project."))])
        for second in 1...2 { other.spool.add(.made(second)) }
        #expect(await other.rest())
        // The first one is gone, so that the second one has arrived says nothing of it.
        let failure = other.store.state.sendingFailure
        #expect(failure?.kind == .refused && failure?.message == "No such project.")
        #expect(failure != nil && failure?.retry == nil)
        try await other.courier.deleteUnsent()
        #expect(other.store.state.sendingFailure == nil)
    }

    @Test func promise18_oneReportThatFailsDoesNotHoldTheOthers() async throws {
        let stage = try CourierStage { delivery in
            delivery.report?.crash == nil ? ReportReceipt(.accepted) : Self.failed()
        }
        stage.spool.add(.made(1, isCrash: true))
        for second in 2...3 { stage.spool.add(.made(second)) }
        stage.courier.wake()
        _ = try await stage.sink.deliveries(1)
        try await stage.advance(by: .seconds(1))
        _ = try await stage.sink.deliveries(4)
        #expect(await !stage.rest())
        #expect(stage.sent == [1, 2, 3, 1])
        #expect(await stage.kept() == [1])
    }

    @Test func aUserWhoAsksDoesNotWaitForADelay() async throws {
        let stage = try CourierStage([Self.failed(), Self.limited(60)])
        stage.spool.add(.made(1))
        #expect(await !stage.rest())
        stage.courier.sendNow()
        _ = try await stage.sink.deliveries(2)
        stage.courier.sendNow()
        #expect(await !stage.rest())
        #expect(stage.sent == [1, 1])
    }

    @Test func promise17_crashesWaitInTheSpoolAndSessionsGo() async throws {
        let stage = try CourierStage([Self.limited(60)])
        stage.spool.add(.made(1, isCrash: true))
        #expect(await !stage.rest())
        stage.store.update { $0.note(.made("a", 0)) }
        #expect(await !stage.rest())
        #expect(stage.sink.deliveries.map(\.sessions.count) == [0, 1])
        #expect(await stage.kept() == [1])
        await stage.courier.close()
        let next = try CourierStage(in: stage.place, consent: nil)
        next.courier.wake()
        try await next.clock.waitForSleepers()
        next.clock.advance(by: .seconds(59))
        #expect(next.sent.isEmpty)
        next.clock.advance(by: .seconds(1))
        _ = try await next.sink.deliveries(1)
        #expect(await next.rest())
        #expect(next.sent == [1])
    }

    @Test func promise17_anAcceptedDeliveryMayAskForAPauseAndTheLongerOneWins() async throws {
        let pauses: [ReportCategory: Duration] = [.error: .seconds(90), .all: .seconds(5)]
        let stage = try CourierStage([ReportReceipt(.accepted, pauses: pauses)])
        for second in 1...2 { stage.spool.add(.made(second)) }
        #expect(await !stage.rest())
        #expect(stage.sent == [1])
        #expect(stage.store.state.pause(of: .error, at: stage.now) == 90)
        #expect(stage.store.state.pause(of: .session, at: stage.now) == 5)
    }

    @Test(arguments: [[:], [ReportCategory.session: Duration.seconds(9)]])
    func promise17_aLimitWithoutATimeIsAMinute(
        _ pauses: [ReportCategory: Duration]
    ) async throws {
        let stage = try CourierStage([ReportReceipt(.limited, pauses: pauses)])
        stage.spool.add(.made(1))
        #expect(await !stage.rest())
        #expect(stage.sent == [1])
        #expect(stage.store.state.pause(of: .error, at: stage.now) == 60)
    }

    @Test func promise17_aClockThatWasSetBackDelaysOnce() async throws {
        let stage = try CourierStage([Self.limited(60)])
        stage.store.update { [now = stage.now] in
            $0.pause(.error, for: .seconds(60), at: now + 1_000_000)
        }
        stage.spool.add(.made(1))
        stage.courier.wake()
        try await stage.advance(by: .seconds(60))
        _ = try await stage.sink.deliveries(1)
    }

    @Test func anotherProcessThatSendsIsWaitedFor() async throws {
        let stage = try CourierStage()
        let claim = Lock(try FileClaim(stage.courier.claimPath))
        stage.spool.add(.made(1))
        stage.courier.wake()
        try await stage.clock.waitForSleepers()
        #expect(stage.sent.isEmpty)
        _ = claim.withLock { claim in
            defer { claim = nil }
            return claim
        }
        stage.clock.advance(by: Courier.claimDelay)
        _ = try await stage.sink.deliveries(1)
        #expect(await stage.rest())
    }
}
