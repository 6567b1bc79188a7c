// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import TidingsDiagnostics

@Suite(.timeLimit(.minutes(5)))
struct CourierPlanTests {
    private static let now = Date(timeIntervalSince1970: 1_000_000)
    private let loss = ReportLoss(reason: .spoolFull, category: .error, quantity: 1)
    private let error = ReportName(.made(1), number: 1)
    private let later = ReportName(.made(2), number: 1)
    private let crash = ReportName(.made(3, isCrash: true), number: 1)
    private var plan: CourierPlan

    init() {
        plan = CourierPlan(state: ReporterState(), names: [], now: Self.now)
        plan.state.consent = .given
    }

    private var sent: ReportName? {
        if case .report(let name, _) = plan.step { name } else { nil }
    }

    @Test(arguments: [ReportConsent.unknown, .revoked])
    mutating func promise13_withoutConsentNothingIsSent(_ consent: ReportConsent) {
        plan.state.consent = consent
        #expect(plan.step == .rest(.drained))
        plan.names = [error]
        #expect(plan.step == .rest(.withheld))
        plan.names = []
        plan.state.note(.made("a", 0))
        #expect(plan.step == .rest(.withheld))
    }

    @Test mutating func crashesGoFirstThenTheOldest() {
        plan.names = [error, later, crash]
        #expect(sent == crash)
        plan.names = [error, later]
        #expect(sent == error)
        plan.names = []
        #expect(plan.step == .rest(.drained))
    }

    @Test mutating func promise18_whatHasFailedLetsTheOthersPass() {
        plan.names = [error, later, crash]
        plan.failures = [crash: 2, error: 1]
        #expect(sent == later)
        plan.failures[later] = 2
        #expect(sent == error)
        plan.failures[error] = 2
        #expect(sent == crash)
    }

    @Test mutating func numbersTravelWithAReport() {
        plan.names = [error]
        plan.state.note(.made("a", 0))
        plan.state.count(loss)
        let numbers = ReportDelivery(sessions: [.made("a", 0)], losses: [loss])
        #expect(plan.step == .report(error, numbers))
        plan.isApart = true
        #expect(plan.step == .report(error, ReportDelivery()))
        plan.names = []
        #expect(plan.step == .numbers(numbers))
        plan.state.forget(ReportDelivery(sessions: [.made("a", 0)]))
        #expect(plan.step == .rest(.drained))
    }

    @Test mutating func promise17_eachCategoryWaitsForItself() {
        plan.names = [crash]
        plan.state.note(.made("a", 0))
        plan.state.pause(.error, for: .seconds(60), at: Self.now)
        #expect(plan.step == .numbers(ReportDelivery(sessions: [.made("a", 0)])))
        plan.state.pause(.session, for: .seconds(30), at: Self.now)
        #expect(plan.step == .rest(.later(.seconds(30))))
        plan.now += 30
        #expect(plan.step == .numbers(ReportDelivery(sessions: [.made("a", 0)])))
        plan.state.pause(.session, for: .seconds(90), at: plan.now)
        plan.now += 30
        #expect(plan.step == .report(crash, ReportDelivery()))
    }

    @Test mutating func promise17_aPauseOfEverythingHoldsEverything() {
        plan.names = [crash]
        plan.state.note(.made("a", 0))
        plan.state.pause(.all, for: .seconds(60), at: Self.now)
        #expect(plan.step == .rest(.later(.seconds(60))))
    }

    @Test mutating func promise18_afterAFailureNothingIsSentBeforeTheDelayIsOver() {
        plan.names = [error]
        plan.state.note(.made("a", 0))
        plan.state.fail(delay: .seconds(8), at: Self.now)
        #expect(plan.step == .rest(.later(.seconds(8))))
        plan.names = []
        plan.state.forgetUntold()
        #expect(plan.step == .rest(.drained))
    }
}
