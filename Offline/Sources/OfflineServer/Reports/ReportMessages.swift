// SPDX-License-Identifier: Apache-2.0
package import Tidings

/// The list of reports changed.
package struct ReportsChanged: Message {
    /// Hidden, because a breadcrumb for each change of the reports would displace the others.
    package static let tracing = MessageTracing.hidden

    /// Creates the message.
    package init() {}
}

/// The previous run crashed; posted once, after the start.
package struct PreviousRunCrashed: Message {
    /// The report of the crash; nil if it is no longer on this machine.
    package let report: ReportSummary?

    /// Creates the message.
    package init(report: ReportSummary?) {
        self.report = report
    }
}
