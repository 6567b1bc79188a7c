// SPDX-License-Identifier: Apache-2.0
package import Tidings

/// Posted when the list of reports changes.
package struct ReportsChanged: Message {
    /// Hidden, because a breadcrumb for each change of the reports would displace all others.
    package static let tracing = MessageTracing.hidden

    /// Creates the message.
    package init() {}
}

/// Posted once after the start if the previous run crashed.
package struct PreviousRunCrashed: Message {
    /// The report of the crash, or nil if the report is no longer on this machine.
    package let report: ReportSummary?

    /// Creates the message.
    package init(report: ReportSummary?) {
        self.report = report
    }
}
