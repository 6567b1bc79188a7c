// SPDX-License-Identifier: Apache-2.0
import Foundation
package import OfflineAPI
package import OfflineModel
import Tidings
package import TidingsDiagnostics

// The requirements of `ReportRecorder`.
extension LibraryReports {
    /// Returns the unsent reports, the newest first.
    package func all() async -> [Report] {
        await reporter.unsentReports()
    }

    /// Returns the list of reports with the state of recording and sending.
    package func overview() async -> ReportsOverview {
        let crash = await previousCrash()
        let reports = await all().map { ReportSummary($0) }
        // The state is read after the reports, so that the list never shows the failure of a sent
        // report.
        let state = reporter.state
        let isSending = settings.destination != nil && reporter.consent == .given
        return ReportsOverview(
            reports: reports,
            consent: reporter.consent.rawValue,
            destination: settings.destination,
            sendingFailure: isSending ? state.sendingFailure : nil,
            isRecording: state.isRecording,
            catchesCrashes: catchesCrashes,
            problems: problems,
            previousRun: .init(end: state.previousRun.name, report: crash)
        )
    }

    /// Returns one whole report, or nil if the report does not exist.
    package func report(_ id: Report.ID) async -> ReportRepresentation? {
        guard let report = await all().first(where: { $0.id == id }) else { return nil }
        return ReportRepresentation(report, outgoing: settings.outgoing(report))
    }

    /// Records a test report and returns the identifier, or nil while the recording is off.
    package func recordTest() -> Report.ID? {
        let id = reporter.recordTest()
        postChange()
        return id
    }

    /// Stores whether reports may be sent.
    ///
    /// - Throws: `LibraryError` with `.notRetryable` for a consent without a destination.
    package func setConsent(_ consent: ReportConsent) throws(LibraryError) {
        if consent == .given { try requireDestination() }
        reporter.consent = consent
        postChange()
    }

    private func requireDestination() throws(LibraryError) {
        guard settings.destination == nil else { return }
        throw LibraryError(
            .notRetryable,
            "No destination for reports is set. Start with --sentry DSN, or set OFFLINE_SENTRY_DSN."
        )
    }

    /// Sends the unsent reports now instead of at the next scheduled time, and waits up to five
    /// seconds.
    ///
    /// - Throws: `LibraryError` with `.notRetryable` without a destination or consent.
    package func send() async throws(LibraryError) {
        try requireDestination()
        guard reporter.consent == .given else {
            throw LibraryError(
                .notRetryable,
                "Sending requires your consent. Run `offline reports consent given`."
            )
        }
        reporter.sendUnsent()
        await reporter.flush(timeout: .seconds(5))
        postChange()
    }

    /// Deletes one report and returns whether the report existed.
    package func delete(_ id: Report.ID) async throws(DiagnosticsError) -> Bool {
        let existed = try await reporter.deleteUnsent(id)
        postChange()
        return existed
    }

    /// Deletes all reports that were recorded before the call.
    package func deleteAll() async throws(DiagnosticsError) {
        try await reporter.deleteUnsent()
        postChange()
    }
}
