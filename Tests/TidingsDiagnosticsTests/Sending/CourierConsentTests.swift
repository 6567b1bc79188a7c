// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import Tidings
import TidingsTesting

@testable import TidingsDiagnostics

@Suite(.timeLimit(.minutes(5)))
struct CourierConsentTests {
    @Test(arguments: [nil, ReportConsent.unknown, .revoked])
    func promise13_withoutConsentReportsStayHere(_ consent: ReportConsent?) async throws {
        let stage = try CourierStage(consent: consent)
        stage.spool.add(.made(1))
        stage.courier.wake()
        #expect(await !stage.rest())
        #expect(stage.sent.isEmpty)
        #expect(await stage.kept() == [1])
        stage.courier.setConsent(.given)
        #expect(await stage.rest())
        #expect(stage.sent == [1])
        #expect(await stage.kept().isEmpty)
        stage.courier.setConsent(.revoked)
        stage.spool.add(.made(2))
        #expect(await !stage.rest())
        #expect(stage.sent == [1])
    }

    @Test func promise13_whatIsBeingSentIsCalledOffAndKept() async throws {
        let clock = ManualClock()
        let isFirst = Lock(true)
        let stage = try CourierStage { _ in
            guard
                isFirst.withLock({ first in
                    defer { first = false }
                    return first
                })
            else {
                return ReportReceipt(.accepted)
            }
            do {
                try await clock.sleep(for: .seconds(1))
                return ReportReceipt(.accepted)
            } catch {
                return ReportReceipt(.failed("Called off."))
            }
        }
        stage.spool.add(.made(1))
        stage.courier.wake()
        try await clock.waitForSleepers()
        stage.courier.setConsent(.revoked)
        #expect(await !stage.rest())
        #expect(await stage.kept() == [1])
        #expect(stage.store.state.failures == 0)
        stage.courier.setConsent(.given)
        #expect(await stage.rest())
        #expect(stage.sent == [1, 1])
    }

    @Test func promise13_anotherProcessRevokes() async throws {
        let stage = try CourierStage()
        ReporterStore(directory: stage.place.path).update { $0.consent = .revoked }
        stage.spool.add(.made(1))
        #expect(await !stage.rest())
        #expect(stage.sent.isEmpty)
    }

    @Test func promise13_consentThatIsRevokedBeforeTheSendIsHeard() async throws {
        let courier = Lock<Courier?>(nil)
        let stage = try CourierStage(beforeSend: { report in
            courier.withLock { $0 }?.setConsent(.revoked)
            return report
        })
        courier.withLock { $0 = stage.courier }
        stage.spool.add(.made(1))
        #expect(await !stage.rest())
        #expect(stage.sent.isEmpty)
        courier.withLock { $0 = nil }
    }

    @Test func promise14_whatIsDeletedIsNotSentAnyMore() async throws {
        let clock = ManualClock()
        let stage = try CourierStage { _ in
            try? await clock.sleep(for: .seconds(1))
            return ReportReceipt(.failed("Called off."))
        }
        for second in 1...3 { stage.spool.add(.made(second)) }
        stage.store.update { $0.note(.made("a", 0)) }
        stage.courier.wake()
        try await clock.waitForSleepers()
        stage.spool.write(.made(4))
        try await stage.courier.deleteUnsent()
        #expect(await stage.rest())
        #expect(stage.sent == [1])
        #expect(stage.store.state.sessions.isEmpty)
    }

    @Test func consentThatIsGivenAgainDisturbsNothing() async throws {
        let clock = ManualClock()
        let stage = try CourierStage { _ in
            let wasCancelled = (try? await clock.sleep(for: .seconds(1))) == nil
            return ReportReceipt(wasCancelled ? .failed("Called off.") : .accepted)
        }
        stage.spool.add(.made(1))
        stage.courier.wake()
        try await clock.waitForSleepers()
        stage.courier.setConsent(.given)
        clock.advance(by: .seconds(1))
        #expect(await stage.rest())
        #expect(stage.sent == [1])
    }
}
