// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineModel
package import TidingsDiagnostics

/// The settings of the recording and sending of a library's reports.
package struct ReportingSettings: Sendable {
    /// Whether errors and crashes are recorded.
    package var capture = CaptureMode.automatic
    /// Whether a crash report contains the last lines of the standard error.
    package var capturesStandardError = false
    /// The sink for reports after the user's consent, or nil to keep reports on this machine.
    package var sink: (any ReportSink)?
    /// The name of the destination for the user, or nil without a destination.
    package var destination: String?
    /// Returns the text of a report that the sink would send.
    package var outgoing: @Sendable (Report) -> String = { report in
        let data = (try? JSONFormat.encode(report, pretty: true)) ?? Data()
        return String(decoding: data, as: UTF8.self)
    }

    /// Creates settings without a destination.
    package init(capture: CaptureMode = .automatic) {
        self.capture = capture
    }
}
