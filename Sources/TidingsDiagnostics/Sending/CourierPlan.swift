// SPDX-License-Identifier: Apache-2.0
import Foundation

/// What a courier knows when it decides what to send next, as a value.
struct CourierPlan: Sendable {
    enum Step: Hashable, Sendable {
        case report(ReportName, ReportDelivery)
        case numbers(ReportDelivery)
        case rest(Rest)
    }

    enum Rest: Hashable, Sendable {
        /// Everything is sent.
        case drained
        /// There is no consent.
        case withheld
        case later(Duration)
    }

    var state: ReporterState
    /// The oldest first, without those that cannot be sent now.
    var names: [ReportName]
    /// How often sending each of them has failed in this process.
    var failures: [ReportName: Int] = [:]
    /// Whether reports and numbers are sent apart, since a server refused both together.
    var isApart = false
    var now: Date

    /// Crashes come first, then the oldest; what has failed lets the others pass.
    ///
    /// Losses travel with reports and sessions and cause no delivery: a program that drops much
    /// must not send much.
    var step: Step {
        guard state.consent == .given else {
            return .rest(names.isEmpty && state.sessions.isEmpty ? .drained : .withheld)
        }
        let retry = state.retry?.remaining(at: now) ?? 0
        let wait = (
            report: max(retry, state.pause(of: .error, at: now)),
            numbers: max(retry, state.pause(of: .session, at: now))
        )
        let numbers = ReportDelivery(
            sessions: wait.numbers > 0 ? [] : state.sessions,
            losses: state.losses
        )
        if wait.report <= 0, let name = next {
            return .report(name, isApart ? ReportDelivery() : numbers)
        }
        if !numbers.sessions.isEmpty { return .numbers(numbers) }
        let waits =
            (names.isEmpty ? [] : [wait.report])
            + (state.sessions.isEmpty ? [] : [wait.numbers])
        return .rest(waits.min().map { .later(.seconds($0)) } ?? .drained)
    }

    private var next: ReportName? {
        names.min { left, right in rank(left) < rank(right) }
    }

    private func rank(_ name: ReportName) -> (Int, Int, ReportName) {
        (failures[name] ?? 0, name.isCrash ? 0 : 1, name)
    }
}
