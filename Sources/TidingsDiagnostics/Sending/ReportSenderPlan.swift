// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The input of the decision about the next delivery, and the decision itself.
struct ReportSenderPlan: Sendable {
    enum Step: Hashable, Sendable {
        case report(ReportName, ReportDelivery)
        case sessions(ReportDelivery)
        case rest(Rest)
    }

    enum Rest: Hashable, Sendable {
        /// Everything is sent.
        case drained
        /// Consent is missing.
        case withheld
        case later(Duration)
    }

    var state: ReporterState
    /// The reports that can be sent now, oldest first.
    var names: [ReportName]
    /// The number of failed attempts per report in this process.
    var failures: [ReportName: Int] = [:]
    /// Whether reports and counts are sent separately, because a server has refused a delivery with
    /// both.
    var isSplit = false
    var now: Date

    /// The next step, which prefers reports with fewer failed attempts, then crashes, then older
    /// reports.
    ///
    /// Losses are sent with reports and sessions but never cause a delivery, because a program that
    /// drops many reports must not send many deliveries.
    var step: Step {
        guard state.consent == .given else {
            return .rest(
                names.isEmpty && state.sessions.isEmpty && state.comments.isEmpty
                    ? .drained : .withheld
            )
        }
        let retry = state.retry?.remaining(at: now) ?? 0
        let wait = (
            report: max(retry, state.pause(of: .error, at: now)),
            sessions: max(retry, state.pause(of: .session, at: now))
        )
        let counts = ReportDelivery(
            sessions: wait.sessions > 0 ? [] : state.sessions,
            losses: state.losses,
            comments: wait.report > 0 ? [:] : state.pendingComments
        )
        if wait.report <= 0, let name = next {
            return .report(name, isSplit ? ReportDelivery() : counts)
        }
        if !counts.sessions.isEmpty || !counts.comments.isEmpty { return .sessions(counts) }
        let waits =
            (names.isEmpty && state.comments.isEmpty ? [] : [wait.report])
            + (state.sessions.isEmpty ? [] : [wait.sessions])
        return .rest(waits.min().map { .later(.seconds($0)) } ?? .drained)
    }

    private var next: ReportName? {
        names.min { left, right in rank(left) < rank(right) }
    }

    private func rank(_ name: ReportName) -> (Int, Int, ReportName) {
        (failures[name] ?? 0, name.isCrash ? 0 : 1, name)
    }
}
