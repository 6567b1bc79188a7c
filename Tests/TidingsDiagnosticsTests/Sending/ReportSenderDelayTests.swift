// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import Tidings
import TidingsFiles
import TidingsLock
import TidingsTesting

@testable import TidingsDiagnostics

@Suite(.timeLimit(.minutes(15)))
struct ReportSenderDelayTests {
    private static func failed() -> ReportReceipt { ReportReceipt(.failed("reset")) }

    private static func limited(_ seconds: Int) -> ReportReceipt {
        ReportReceipt(.limited, pauses: [.error: .seconds(seconds)])
    }

    @Test func r18_failuresAreTriedAgainAfterGrowingDelaysUnderOneIdentifier() async throws {
        let fixture = try ReportSenderFixture((1...4).map { _ in Self.failed() })
        fixture.spool.add(.sample(7))
        fixture.sender.wake()
        for (number, delay) in [1, 2, 4, 8].enumerated() {
            _ = try await fixture.sink.deliveries(number + 1)
            try await fixture.clock.waitForSleepers()
            fixture.clock.advance(by: .seconds(delay) - .milliseconds(10))
            #expect(fixture.sink.deliveries.count == number + 1)
            fixture.clock.advance(by: .milliseconds(10))
        }
        _ = try await fixture.sink.deliveries(5)
        #expect(await fixture.rest())
        #expect(fixture.sent == [7, 7, 7, 7, 7])
        #expect(Set(fixture.sink.deliveries.compactMap(\.report?.id)).count == 1)
        #expect(fixture.store.state.failures == 0)
    }

    @Test func r18_aDelayAppliesToNewReportsAndAfterARestart() async throws {
        let fixture = try ReportSenderFixture([Self.failed()])
        fixture.spool.add(.sample(1))
        #expect(await !fixture.rest())
        fixture.spool.add(.sample(2))
        fixture.sender.wake()
        #expect(await !fixture.rest())
        #expect(fixture.sent == [1])
        await fixture.sender.close()
        let next = try ReportSenderFixture(in: fixture.place, consent: nil)
        next.sender.wake()
        #expect(await !next.rest())
        #expect(next.sent.isEmpty)
        try await next.advance(by: .seconds(1))
        _ = try await next.sink.deliveries(2)
        #expect(await next.rest())
        #expect(next.sent == [1, 2])
    }

    @Test func r18_aFailureHasAReasonAndTheTimeOfTheNextAttempt() async throws {
        let key = "0123456789abcdef0123456789abcdef"
        let reason = "https://\(key)@errors.example/7?a=b did not answer; try again later. \(key)"
        let fixture = try ReportSenderFixture([ReportReceipt(.failed(reason))])
        #expect(fixture.store.state.sendingFailure == nil)
        fixture.spool.add(.sample(1))
        await fixture.rest()
        let state = ReporterStore(directory: fixture.place.path).state
        let failure = try #require(state.sendingFailure)
        #expect(failure.kind == .failed && failure.date == fixture.now)
        #expect(failure.message.contains("errors.example/7"))
        #expect(failure.message.contains("did not answer; try again later."))
        #expect(!failure.message.contains("0123456789"))
        #expect(failure.retry == fixture.now + 1)
        fixture.sender.sendNow()
        #expect(await fixture.rest())
        #expect(fixture.store.state.sendingFailure == nil)
    }

    @Test func refusalsAndLimitsAreStored() async throws {
        let fixture = try ReportSenderFixture([
            ReportReceipt(.refused("No such project; check the DSN.")),
            ReportReceipt(.accepted),
            ReportReceipt(.limited, pauses: [.error: .seconds(30)]),
        ])
        for second in 1...3 { fixture.spool.add(.sample(second)) }
        await fixture.rest()
        #expect(fixture.store.state.lastFailure?.kind == .limited)
        #expect(fixture.store.state.sendingFailure?.retry == fixture.now + 30)
        let other = try ReportSenderFixture([ReportReceipt(.refused("No such project."))])
        for second in 1...2 { other.spool.add(.sample(second)) }
        #expect(await other.rest())
        // The refused report is lost, so a later accepted report does not clear the failure.
        let failure = other.store.state.sendingFailure
        #expect(failure?.kind == .refused && failure?.message == "No such project.")
        #expect(failure != nil && failure?.retry == nil)
        try await other.sender.deleteUnsent()
        #expect(other.store.state.sendingFailure == nil)
    }

    @Test func r18_aFailingReportDoesNotBlockTheOthers() async throws {
        let fixture = try ReportSenderFixture { delivery in
            delivery.report?.crash == nil ? ReportReceipt(.accepted) : Self.failed()
        }
        fixture.spool.add(.sample(1, isCrash: true))
        for second in 2...3 { fixture.spool.add(.sample(second)) }
        fixture.sender.wake()
        _ = try await fixture.sink.deliveries(1)
        try await fixture.advance(by: .seconds(1))
        _ = try await fixture.sink.deliveries(4)
        #expect(await !fixture.rest())
        #expect(fixture.sent == [1, 2, 3, 1])
        #expect(await fixture.kept() == [1])
    }

    @Test func sendNowSkipsTheDelayButNotAPause() async throws {
        let fixture = try ReportSenderFixture([Self.failed(), Self.limited(60)])
        fixture.spool.add(.sample(1))
        #expect(await !fixture.rest())
        fixture.sender.sendNow()
        _ = try await fixture.sink.deliveries(2)
        fixture.sender.sendNow()
        #expect(await !fixture.rest())
        #expect(fixture.sent == [1, 1])
    }

    @Test func r17_crashesWaitInTheSpoolWhileSessionsAreSent() async throws {
        let fixture = try ReportSenderFixture([Self.limited(60)])
        fixture.spool.add(.sample(1, isCrash: true))
        #expect(await !fixture.rest())
        fixture.store.update { $0.add(.sample("a", 0)) }
        #expect(await !fixture.rest())
        #expect(fixture.sink.deliveries.map(\.sessions.count) == [0, 1])
        #expect(await fixture.kept() == [1])
        await fixture.sender.close()
        let next = try ReportSenderFixture(in: fixture.place, consent: nil)
        next.sender.wake()
        try await next.clock.waitForSleepers()
        next.clock.advance(by: .seconds(59))
        #expect(next.sent.isEmpty)
        next.clock.advance(by: .seconds(1))
        _ = try await next.sink.deliveries(1)
        #expect(await next.rest())
        #expect(next.sent == [1])
    }

    @Test func r17_anAcceptedDeliveryMayAskForAPauseAndTheLongerOneWins() async throws {
        let pauses: [ReportCategory: Duration] = [.error: .seconds(90), .all: .seconds(5)]
        let fixture = try ReportSenderFixture([ReportReceipt(.accepted, pauses: pauses)])
        for second in 1...2 { fixture.spool.add(.sample(second)) }
        #expect(await !fixture.rest())
        #expect(fixture.sent == [1])
        #expect(fixture.store.state.pause(of: .error, at: fixture.now) == 90)
        #expect(fixture.store.state.pause(of: .session, at: fixture.now) == 5)
    }

    @Test(arguments: [[:], [ReportCategory.session: Duration.seconds(9)]])
    func r17_aLimitWithoutATimeIsAMinute(
        _ pauses: [ReportCategory: Duration]
    ) async throws {
        let fixture = try ReportSenderFixture([ReportReceipt(.limited, pauses: pauses)])
        fixture.spool.add(.sample(1))
        #expect(await !fixture.rest())
        #expect(fixture.sent == [1])
        #expect(fixture.store.state.pause(of: .error, at: fixture.now) == 60)
    }

    @Test func r17_aClockThatWasSetBackDelaysOnce() async throws {
        let fixture = try ReportSenderFixture([Self.limited(60)])
        fixture.store.update { [now = fixture.now] in
            $0.pause(.error, for: .seconds(60), at: now + 1_000_000)
        }
        fixture.spool.add(.sample(1))
        fixture.sender.wake()
        try await fixture.advance(by: .seconds(60))
        _ = try await fixture.sink.deliveries(1)
    }

    @Test func aSendingProcessBlocksTheOthers() async throws {
        let fixture = try ReportSenderFixture()
        let claim = Lock(try FileLock.tryAcquire(fixture.sender.claimPath))
        fixture.spool.add(.sample(1))
        fixture.sender.wake()
        try await fixture.clock.waitForSleepers()
        #expect(fixture.sent.isEmpty)
        _ = claim.withLock { claim in
            defer { claim = nil }
            return claim
        }
        fixture.clock.advance(by: ReportSender.claimDelay)
        _ = try await fixture.sink.deliveries(1)
        #expect(await fixture.rest())
    }
}
