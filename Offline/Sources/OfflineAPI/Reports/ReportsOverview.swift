// SPDX-License-Identifier: Apache-2.0
package import TidingsDiagnostics

/// The reports of a library with the state of recording and sending, for the API and the commands.
package struct ReportsOverview: Codable, Sendable, Equatable {
    /// The end of the previous run.
    package struct PreviousRun: Codable, Sendable, Equatable {
        /// `unknown`, `clean`, `terminated`, `crashed` or `endedWithoutNotice`.
        package let end: String
        /// The report of the crash, or nil if the report is no longer on this machine.
        package let report: ReportSummary?

        /// Creates the end of a run.
        package init(end: String, report: ReportSummary?) {
            self.end = end
            self.report = report
        }
    }

    /// The unsent reports, with the newest first.
    package var reports: [ReportSummary]
    /// The user's consent to send reports: `unknown`, `given` or `revoked`.
    package var consent: String
    /// The destination of the reports, or nil to keep the reports on this machine.
    package var destination: String?
    /// The failure of the last attempt to send, or nil if the attempt succeeded or sending is not
    /// allowed.
    package var sendingFailure: SendingFailure?
    /// Whether errors are recorded.
    package var isRecording: Bool
    /// Whether crashes are recorded.
    package var catchesCrashes: Bool
    /// The faults of the setup.
    ///
    /// Each one includes the remedy, in one or two sentences.
    package var problems: [String]
    /// The end of the previous run.
    package var previousRun: PreviousRun

    /// Creates an overview of these reports.
    package init(
        reports: [ReportSummary],
        consent: String,
        destination: String?,
        sendingFailure: SendingFailure? = nil,
        isRecording: Bool,
        catchesCrashes: Bool,
        problems: [String],
        previousRun: PreviousRun
    ) {
        self.reports = reports
        self.consent = consent
        self.destination = destination
        self.sendingFailure = sendingFailure
        self.isRecording = isRecording
        self.catchesCrashes = catchesCrashes
        self.problems = problems
        self.previousRun = previousRun
    }
}
