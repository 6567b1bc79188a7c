// SPDX-License-Identifier: Apache-2.0
import Foundation
package import TidingsDiagnostics

/// What a library's reports are made of, and where they may go.
package struct ReportingSettings: Sendable {
    /// Whether errors are recorded, and whether crashes are.
    package var capture = CaptureMode.automatic
    /// Whether a report has the text of a `fatalError`, and what stood before it.
    package var capturesStandardError = false
    /// Where reports go once the person has agreed; nil keeps them on this machine.
    package var sink: (any ReportSink)?
    /// What the person is told of where they go.
    package var destination: String?
    /// What would be sent of a report, as text.
    package var outgoing: @Sendable (Report) -> String = { report in
        let data = (try? JSONFormat.encode(report, pretty: true)) ?? Data()
        return String(decoding: data, as: UTF8.self)
    }

    package init(capture: CaptureMode = .automatic) {
        self.capture = capture
    }
}
