// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import Tidings
import TidingsLock
import TidingsTesting

@testable import TidingsDiagnostics

@Suite(.timeLimit(.minutes(15)))
struct ReportSenderConsentTests {
    @Test(arguments: [nil, ReportConsent.unknown, .revoked])
    func r13_withoutConsentReportsAreNotSent(_ consent: ReportConsent?) async throws {
        let fixture = try ReportSenderFixture(consent: consent)
        fixture.spool.add(.sample(1))
        fixture.sender.wake()
        #expect(await !fixture.rest())
        #expect(fixture.sent.isEmpty)
        #expect(await fixture.kept() == [1])
        fixture.sender.setConsent(.given)
        #expect(await fixture.rest())
        #expect(fixture.sent == [1])
        #expect(await fixture.kept().isEmpty)
        fixture.sender.setConsent(.revoked)
        fixture.spool.add(.sample(2))
        #expect(await !fixture.rest())
        #expect(fixture.sent == [1])
    }

    @Test func r13_aRevocationCancelsTheDeliveryAndKeepsTheReport() async throws {
        let clock = ManualClock()
        let isFirst = Lock(true)
        let fixture = try ReportSenderFixture { _ in
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
                return ReportReceipt(.failed("Canceled."))
            }
        }
        fixture.spool.add(.sample(1))
        fixture.sender.wake()
        try await clock.waitForSleepers()
        fixture.sender.setConsent(.revoked)
        #expect(await !fixture.rest())
        #expect(await fixture.kept() == [1])
        #expect(fixture.store.state.failures == 0)
        fixture.sender.setConsent(.given)
        #expect(await fixture.rest())
        #expect(fixture.sent == [1, 1])
    }

    @Test func r13_aRevocationByAnotherProcessApplies() async throws {
        let fixture = try ReportSenderFixture()
        ReporterStore(directory: fixture.place.path).update { $0.consent = .revoked }
        fixture.spool.add(.sample(1))
        #expect(await !fixture.rest())
        #expect(fixture.sent.isEmpty)
    }

    @Test func r13_aRevocationInBeforeSendPreventsTheDelivery() async throws {
        let sender = Lock<ReportSender?>(nil)
        let fixture = try ReportSenderFixture(beforeSend: { report in
            sender.withLock { $0 }?.setConsent(.revoked)
            return report
        })
        sender.withLock { $0 = fixture.sender }
        fixture.spool.add(.sample(1))
        #expect(await !fixture.rest())
        #expect(fixture.sent.isEmpty)
        sender.withLock { $0 = nil }
    }

    @Test func r14_deletedReportsAreNotSent() async throws {
        let clock = ManualClock()
        let fixture = try ReportSenderFixture { _ in
            try? await clock.sleep(for: .seconds(1))
            return ReportReceipt(.failed("Canceled."))
        }
        for second in 1...3 { fixture.spool.add(.sample(second)) }
        fixture.store.update { $0.add(.sample("a", 0)) }
        fixture.sender.wake()
        try await clock.waitForSleepers()
        fixture.spool.write(.sample(4))
        try await fixture.sender.deleteUnsent()
        #expect(await fixture.rest())
        #expect(fixture.sent == [1])
        #expect(fixture.store.state.sessions.isEmpty)
    }

    @Test func givingConsentAgainDoesNotCancelADelivery() async throws {
        let clock = ManualClock()
        let fixture = try ReportSenderFixture { _ in
            let wasCanceled = (try? await clock.sleep(for: .seconds(1))) == nil
            return ReportReceipt(wasCanceled ? .failed("Canceled.") : .accepted)
        }
        fixture.spool.add(.sample(1))
        fixture.sender.wake()
        try await clock.waitForSleepers()
        fixture.sender.setConsent(.given)
        clock.advance(by: .seconds(1))
        #expect(await fixture.rest())
        #expect(fixture.sent == [1])
    }
}
