// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import Tidings
import TidingsTesting

@testable import TidingsDiagnostics

@Suite(.timeLimit(.minutes(5)))
struct CourierEndTests {
    @Test func nothingIsSentAfterTheEnd() async throws {
        let stage = try CourierStage()
        await stage.courier.close()
        stage.spool.add(.made(1))
        stage.courier.wake()
        stage.courier.sendNow()
        stage.courier.setConsent(.given)
        #expect(await !stage.rest())
        #expect(stage.sent.isEmpty)
        #expect(await stage.kept() == [1])
    }

    @Test func theEndCallsOffWhatIsBeingSent() async throws {
        let clock = ManualClock()
        let stage = try CourierStage { _ in
            try? await clock.sleep(for: .seconds(1))
            return ReportReceipt(.failed("Called off."))
        }
        for second in 1...2 { stage.spool.add(.made(second)) }
        stage.courier.wake()
        try await clock.waitForSleepers()
        async let flushed = stage.courier.flush(timeout: .seconds(1_000))
        await stage.courier.close()
        #expect(await !flushed)
        #expect(stage.sent == [1])
        #expect(await stage.kept() == [1, 2])
        #expect(stage.store.state.failures == 0)
    }

    @Test func aFlushWaitsNoLongerThanItMay() async throws {
        let clock = ManualClock()
        let stage = try CourierStage { _ in
            try? await clock.sleep(for: .seconds(1))
            return ReportReceipt(.accepted)
        }
        stage.spool.add(.made(1))
        let flush = Task { await stage.courier.flush(timeout: .seconds(2)) }
        try await clock.waitForSleepers()
        try await stage.advance(by: .seconds(2))
        #expect(await !flush.value)
        clock.advance(by: .seconds(1))
        #expect(await stage.rest())
    }

    @Test func aFlushThatIsCancelledReturns() async throws {
        let clock = ManualClock()
        let stage = try CourierStage { _ in
            try? await clock.sleep(for: .seconds(1))
            return ReportReceipt(.accepted)
        }
        stage.spool.add(.made(1))
        let flush = Task { await stage.courier.flush(timeout: .seconds(2)) }
        try await clock.waitForSleepers()
        flush.cancel()
        #expect(await !flush.value)
    }

    @Test func aFlushSendsWhatWasRecordedJustBefore() async throws {
        let stage = try CourierStage()
        await withTaskGroup { group in
            for second in 1...20 {
                group.addTask {
                    stage.spool.write(.made(second))
                    #expect(await stage.rest())
                    #expect(stage.sent.contains(second))
                }
            }
        }
        #expect(stage.sent.sorted() == Array(1...20))
    }

    @Test func theEndEndsTheAlarm() async throws {
        let stage = try CourierStage([ReportReceipt(.failed("reset"))])
        stage.spool.add(.made(1))
        stage.courier.wake()
        try await stage.clock.waitForSleepers()
        stage.courier.stop()
        #expect(stage.clock.sleeperCount == 0)
    }
}
