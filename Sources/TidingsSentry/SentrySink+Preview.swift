// SPDX-License-Identifier: Apache-2.0
internal import Foundation
package import TidingsDiagnostics

extension SentrySink {
    /// Returns what would be sent of a report if it were sent now, as JSON for a person to read.
    package static func preview(of report: Report) -> String {
        let bytes = SentryEvent.bytes(report, now: Date())
        guard let value = try? JSONSerialization.jsonObject(with: Data(bytes)),
            let text = try? JSONSerialization.data(
                withJSONObject: value,
                options: [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            )
        else { return String(decoding: bytes, as: UTF8.self) }
        return String(decoding: text, as: UTF8.self)
    }
}
