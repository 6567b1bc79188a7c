// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import TidingsDiagnostics

@Suite(.timeLimit(.minutes(15)))
struct ReportSenderPlanTests {
    private static let now = Date(timeIntervalSince1970: 1_000_000)
    private let loss = ReportLoss(reason: .spoolFull, category: .error, quantity: 1)
    private let error = ReportName(.sample(1), number: 1)
    private let later = ReportName(.sample(2), number: 1)
    private let crash = ReportName(.sample(3, isCrash: true), number: 1)
    private var plan: ReportSenderPlan

    init() {
        plan = ReportSenderPlan(state: ReporterState(), names: [], now: Self.now)
        plan.state.consent = .given
    }

    private var sent: ReportName? {
        if case .report(let name, _) = plan.step { name } else { nil }
    }

    @Test(arguments: [ReportConsent.unknown, .revoked])
    mutating func r13_withoutConsentNothingIsSent(_ consent: ReportConsent) {
        plan.state.consent = consent
        #expect(plan.step == .rest(.drained))
        plan.names = [error]
        #expect(plan.step == .rest(.withheld))
        plan.names = []
        plan.state.add(.sample("a", 0))
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

    @Test mutating func r18_failedReportsComeAfterTheOthers() {
        plan.names = [error, later, crash]
        plan.failures = [crash: 2, error: 1]
        #expect(sent == later)
        plan.failures[later] = 2
        #expect(sent == error)
        plan.failures[error] = 2
        #expect(sent == crash)
    }

    @Test mutating func countsAreSentWithAReport() {
        plan.names = [error]
        plan.state.add(.sample("a", 0))
        plan.state.count(loss)
        let counts = ReportDelivery(sessions: [.sample("a", 0)], losses: [loss])
        #expect(plan.step == .report(error, counts))
        plan.isSplit = true
        #expect(plan.step == .report(error, ReportDelivery()))
        plan.names = []
        #expect(plan.step == .sessions(counts))
        plan.state.remove(ReportDelivery(sessions: [.sample("a", 0)]))
        #expect(plan.step == .rest(.drained))
    }

    @Test mutating func r17_eachCategoryHasItsOwnPause() {
        plan.names = [crash]
        plan.state.add(.sample("a", 0))
        plan.state.pause(.error, for: .seconds(60), at: Self.now)
        #expect(plan.step == .sessions(ReportDelivery(sessions: [.sample("a", 0)])))
        plan.state.pause(.session, for: .seconds(30), at: Self.now)
        #expect(plan.step == .rest(.later(.seconds(30))))
        plan.now += 30
        #expect(plan.step == .sessions(ReportDelivery(sessions: [.sample("a", 0)])))
        plan.state.pause(.session, for: .seconds(90), at: plan.now)
        plan.now += 30
        #expect(plan.step == .report(crash, ReportDelivery()))
    }

    @Test mutating func r17_aPauseOfAllCategoriesAppliesToEach() {
        plan.names = [crash]
        plan.state.add(.sample("a", 0))
        plan.state.pause(.all, for: .seconds(60), at: Self.now)
        #expect(plan.step == .rest(.later(.seconds(60))))
    }

    @Test mutating func r18_afterAFailureNothingIsSentBeforeTheDelayIsOver() {
        plan.names = [error]
        plan.state.add(.sample("a", 0))
        plan.state.recordFailure(delay: .seconds(8), at: Self.now)
        #expect(plan.step == .rest(.later(.seconds(8))))
        plan.names = []
        plan.state.removeUnsent()
        #expect(plan.step == .rest(.drained))
    }
}
