// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import TidingsTesting

@testable import TidingsDiagnostics

@Suite(.timeLimit(.minutes(15)))
struct ReportSenderEndTests {
    @Test func nothingIsSentAfterTheEnd() async throws {
        let fixture = try ReportSenderFixture()
        await fixture.sender.close()
        fixture.spool.add(.sample(1))
        fixture.sender.wake()
        fixture.sender.sendNow()
        fixture.sender.setConsent(.given)
        #expect(await !fixture.rest())
        #expect(fixture.sent.isEmpty)
        #expect(await fixture.kept() == [1])
    }

    @Test func closingCancelsTheDelivery() async throws {
        let clock = ManualClock()
        let fixture = try ReportSenderFixture { _ in
            try? await clock.sleep(for: .seconds(1))
            return ReportReceipt(.failed("Canceled."))
        }
        for second in 1...2 { fixture.spool.add(.sample(second)) }
        fixture.sender.wake()
        try await clock.waitForSleepers()
        async let flushed = fixture.sender.flush(timeout: .seconds(1_000))
        await fixture.sender.close()
        #expect(await !flushed)
        #expect(fixture.sent == [1])
        #expect(await fixture.kept() == [1, 2])
        #expect(fixture.store.state.failures == 0)
    }

    @Test func aFlushWaitsNoLongerThanItMay() async throws {
        let clock = ManualClock()
        let fixture = try ReportSenderFixture { _ in
            try? await clock.sleep(for: .seconds(1))
            return ReportReceipt(.accepted)
        }
        fixture.spool.add(.sample(1))
        let flush = Task { await fixture.sender.flush(timeout: .seconds(2)) }
        try await clock.waitForSleepers()
        try await fixture.advance(by: .seconds(2))
        #expect(await !flush.value)
        clock.advance(by: .seconds(1))
        #expect(await fixture.rest())
    }

    @Test func aCanceledFlushReturns() async throws {
        let clock = ManualClock()
        let fixture = try ReportSenderFixture { _ in
            try? await clock.sleep(for: .seconds(1))
            return ReportReceipt(.accepted)
        }
        fixture.spool.add(.sample(1))
        let flush = Task { await fixture.sender.flush(timeout: .seconds(2)) }
        try await clock.waitForSleepers()
        flush.cancel()
        #expect(await !flush.value)
    }

    @Test func aFlushSendsReportsRecordedJustBefore() async throws {
        let fixture = try ReportSenderFixture()
        await withTaskGroup { group in
            for second in 1...20 {
                group.addTask {
                    fixture.spool.write(.sample(second))
                    #expect(await fixture.rest())
                    #expect(fixture.sent.contains(second))
                }
            }
        }
        #expect(fixture.sent.sorted() == Array(1...20))
    }

    @Test func stoppingCancelsTheTimer() async throws {
        let fixture = try ReportSenderFixture([ReportReceipt(.failed("reset"))])
        fixture.spool.add(.sample(1))
        fixture.sender.wake()
        try await fixture.clock.waitForSleepers()
        fixture.sender.stop()
        #expect(fixture.clock.sleeperCount == 0)
    }
}
