// SPDX-License-Identifier: Apache-2.0
import Foundation

/// What the processes that share a folder know together, as a value.
struct ReporterState: Hashable, Sendable {
    var consent = ReportConsent.unknown
    /// Another one with each word of the user.
    var consentMark: String?
    /// For each category, when something of it may be sent again.
    var pauses: [ReportCategory: SendingPause] = [:]
    /// When to try again after a failure.
    var retry: SendingPause?
    /// How often sending has failed in a row.
    var failures = 0
    /// Why something was not sent; see ``sendingFailure``.
    var lastFailure: SendingFailure?
    /// What was not sent and was not told of yet.
    var losses: [ReportLoss] = []
    /// What was not told of sessions yet, the oldest first.
    var sessions: [ReportedSession] = []
    /// The oldest day first.
    var figures: [RunFigures] = []
    /// How many starts in a row did not come to their end.
    var failedStarts = 0

    enum CodingKeys: String, CodingKey {
        case consent, consentMark, pauses, retry, failures, lastFailure, losses, sessions, figures,
            failedStarts
    }
}

extension ReporterState {
    /// Takes what the user says, who knew of what had been said before.
    ///
    /// What could not be written is said again later, when another process may have been told
    /// something else: then a revocation still counts, and nothing else does.
    ///
    /// - Parameters:
    ///   - consent: What the user says.
    ///   - mark: What no other word of the user has.
    ///   - known: The state that the user knew.
    mutating func say(_ consent: ReportConsent, mark: String, knowing known: ReporterState) {
        let isKnown = consentMark == known.consentMark && self.consent == known.consent
        guard isKnown else {
            if consent == .revoked { self.consent = .revoked }
            return
        }
        (self.consent, consentMark) = (consent, mark)
    }

    /// How many seconds nothing of a category may be sent.
    func pause(of category: ReportCategory, at now: Date) -> TimeInterval {
        max(
            pauses[category]?.remaining(at: now) ?? 0,
            pauses[.all]?.remaining(at: now) ?? 0
        )
    }

    /// Keeps the longer one of a pause and the one that is there.
    mutating func pause(_ category: ReportCategory, for duration: Duration, at now: Date) {
        let new = SendingPause(duration, from: now)
        guard new.remaining(at: now) > pauses[category]?.remaining(at: now) ?? 0 else { return }
        pauses[category] = new
    }

    /// Why the last delivery did not arrive, with when it is tried again by what is known now.
    var sendingFailure: SendingFailure? {
        guard var failure = lastFailure, failure.retry != nil else { return lastFailure }
        let pauses =
            failure.kind == .limited ? Array(self.pauses.values) : [retry].compactMap(\.self)
        failure.retry = pauses.map(\.until).max() ?? failure.date
        return failure
    }

    /// Something has arrived: what failed before is history, but what was refused is gone.
    mutating func noteArrival() {
        if lastFailure?.kind != .refused { lastFailure = nil }
        retryNow()
    }

    mutating func fail(delay: Duration, at now: Date) {
        failures += 1
        retry = SendingPause(delay, from: now)
    }

    /// Forgets that sending has failed, so that it is tried at once.
    mutating func retryNow() {
        failures = 0
        retry = nil
    }

    /// Whether pauses are stored that are over, or that a clock set back would make endless.
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
