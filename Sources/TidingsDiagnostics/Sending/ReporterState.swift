// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The state that the processes with the same folder share.
struct ReporterState: Hashable, Sendable {
    var consent = ReportConsent.unknown
    /// A mark that changes with each decision of the user.
    var consentMark: String?
    /// The pauses per category.
    var pauses: [ReportCategory: SendingPause] = [:]
    /// The time of the next attempt after a failure.
    var retry: SendingPause?
    /// The number of consecutive failures.
    var failures = 0
    /// The last stored failure.
    ///
    /// See ``sendingFailure``.
    var lastFailure: SendingFailure?
    /// The losses that were not sent yet.
    var losses: [ReportLoss] = []
    /// The session updates that were not sent yet, oldest first.
    var sessions: [ReportedSession] = []
    /// The comments of users that were not sent yet, oldest first.
    var comments: [ReportComment] = []
    /// The figures, sorted by day, oldest first.
    var figures: [RunFigures] = []
    /// The runs that the figures contain, oldest first.
    ///
    /// The list has all runs that have not ended, and the newest ended runs.
    var runs: [CountedRun] = []
    /// The number of consecutive failed starts.
    var failedStarts = 0

    enum CodingKeys: String, CodingKey {
        case consent, consentMark, pauses, retry, failures, lastFailure, losses, sessions, comments,
            figures, runs, failedStarts
    }
}

extension ReporterState {
    /// Stores a decision of the user that is based on an earlier state.
    ///
    /// A decision that could not be written is applied again later, and another process may have
    /// stored a newer decision before. In that case only a revocation takes effect.
    ///
    /// - Parameters:
    ///   - consent: The decision.
    ///   - mark: A unique mark for this decision.
    ///   - earlier: The state at the time of the decision.
    mutating func setConsent(_ consent: ReportConsent, mark: String, basedOn earlier: ReporterState)
    {
        let isCurrent = consentMark == earlier.consentMark && self.consent == earlier.consent
        guard isCurrent else {
            if consent == .revoked { self.consent = .revoked }
            return
        }
        (self.consent, consentMark) = (consent, mark)
    }

    /// Returns the number of seconds during which nothing of a category may be sent.
    func pause(of category: ReportCategory, at now: Date) -> TimeInterval {
        max(
            pauses[category]?.remaining(at: now) ?? 0,
            pauses[.all]?.remaining(at: now) ?? 0
        )
    }

    /// Stores a pause, unless the existing one is longer.
    mutating func pause(_ category: ReportCategory, for duration: Duration, at now: Date) {
        let new = SendingPause(duration, from: now)
        guard new.remaining(at: now) > pauses[category]?.remaining(at: now) ?? 0 else { return }
        pauses[category] = new
    }

    /// The last failure, with the current time of the next attempt.
    var sendingFailure: SendingFailure? {
        guard var failure = lastFailure, failure.retry != nil else { return lastFailure }
        let pauses =
            failure.kind == .limited ? Array(self.pauses.values) : [retry].compactMap(\.self)
        failure.retry = pauses.map(\.until).max() ?? failure.date
        return failure
    }

    /// Records an accepted delivery and clears the last failure.
    ///
    /// A refusal is not cleared, because the refused report is lost.
    mutating func recordDelivery() {
        if lastFailure?.kind != .refused { lastFailure = nil }
        retryNow()
    }

    mutating func recordFailure(delay: Duration, at now: Date) {
        failures += 1
        retry = SendingPause(delay, from: now)
    }

    /// Clears the failures, so that the next attempt starts immediately.
    mutating func retryNow() {
        failures = 0
        retry = nil
    }

    /// Whether a pause has expired, or lies in the future because the clock was set back.
    func needsTidying(at now: Date) -> Bool {
        var tidied = self
        tidied.tidy(at: now)
        return tidied != self
    }

    mutating func tidy(at now: Date) {
        pauses = pauses.compactMapValues { $0.tidied(at: now) }
        retry = retry.flatMap { $0.tidied(at: now) }
    }
}

extension SendingPause {
    fileprivate func tidied(at now: Date) -> SendingPause? {
        if isAhead(of: now) { return begun(at: now) }
        return remaining(at: now) > 0 ? self : nil
    }
}
