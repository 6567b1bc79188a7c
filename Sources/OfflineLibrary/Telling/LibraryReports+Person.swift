// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tidings
package import TidingsDiagnostics

// What a person can see of the reports, and do with them.
extension LibraryReports {
    /// Returns the reports that were not sent, the newest first.
    package func all() async -> [Report] {
        await reporter.unsentReports()
    }

    /// Returns the list, and what becomes of it.
    package func overview() async -> ReportsOverview {
        let crash = await previousCrash()
        let state = reporter.state
        let isSending = settings.destination != nil && reporter.consent == .given
        return ReportsOverview(
            reports: await all().map { ReportSummary($0) },
            consent: reporter.consent.rawValue,
            destination: settings.destination,
            sendingFailure: isSending ? state.sendingFailure : nil,
            isRecording: state.isRecording,
            catchesCrashes: catchesCrashes,
            problems: problems,
            previousRun: .init(end: reporter.previousRun.name, report: crash)
        )
    }

    /// Returns all of one report; nil when there is none.
    package func report(_ id: Report.ID) async -> ReportRepresentation? {
        guard let report = await all().first(where: { $0.id == id }) else { return nil }
        return ReportRepresentation(report, outgoing: settings.outgoing(report))
    }

    /// Records a report that says that nothing has failed.
    ///
    /// - Returns: Its identifier; nil when nothing is recorded.
    package func recordTest() -> Report.ID? {
        let id = reporter.recordTest()
        tellChange()
        return id
    }

    /// Sets whether reports may be sent.
    ///
    /// - Throws: `LibraryError` with `.notRetryable` for an agreement where there is nothing to
    ///   agree to.
    package func setConsent(_ consent: ReportConsent) throws(LibraryError) {
        if consent == .given { try requireDestination() }
        reporter.consent = consent
        tellChange()
    }

    private func requireDestination() throws(LibraryError) {
        guard settings.destination == nil else { return }
        throw LibraryError(
            .notRetryable,
            "There is no address to send to. Start with --sentry DSN, or set OFFLINE_SENTRY_DSN."
        )
    }

    /// Sends what may be sent, now and not when the time has come, and waits some seconds for it.
    ///
    /// - Throws: `LibraryError` with `.notRetryable` when nothing may be sent.
    package func send() async throws(LibraryError) {
        try requireDestination()
        guard reporter.consent == .given else {
            throw LibraryError(
                .notRetryable,
                "Nothing may be sent before you agree: offline reports consent given"
            )
        }
        reporter.sendUnsent()
        await reporter.flush(timeout: .seconds(5))
        tellChange()
    }

    /// Deletes one report.
    ///
    /// - Returns: Whether it was there.
    package func delete(_ id: Report.ID) async throws(DiagnosticsError) -> Bool {
        let wasThere = try await reporter.deleteUnsent(id)
        tellChange()
        return wasThere
    }

    /// Deletes what was recorded before the call.
    package func deleteAll() async throws(DiagnosticsError) {
        try await reporter.deleteUnsent()
        tellChange()
    }
}
