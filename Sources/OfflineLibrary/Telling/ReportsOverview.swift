// SPDX-License-Identifier: Apache-2.0
package import TidingsDiagnostics

/// The reports of a library, and what becomes of them, as the API and the command line show it.
package struct ReportsOverview: Codable, Sendable, Equatable {
    /// How the run before this one ended.
    package struct PreviousRun: Codable, Sendable, Equatable {
        /// `unknown`, `clean`, `terminated`, `crashed` or `endedWithoutNotice`.
        package let end: String
        /// The report of its crash, while it is on this machine.
        package let report: ReportSummary?

        package init(end: String, report: ReportSummary?) {
            self.end = end
            self.report = report
        }
    }

    /// The newest first.
    package var reports: [ReportSummary]
    /// Whether the person allows reports to be sent: `unknown`, `given` or `revoked`.
    package var consent: String
    /// Where reports are sent; nil keeps them on this machine.
    package var destination: String?
    /// Why the last attempt to send something failed; nil when it did not, or nothing may be sent.
    package var sendingFailure: SendingFailure?
    /// Whether errors are recorded.
    package var isRecording: Bool
    /// Whether a crash would be recorded.
    package var catchesCrashes: Bool
    /// What could not be set up, and what to do about it, a sentence or two each.
    package var problems: [String]
    package var previousRun: PreviousRun

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
