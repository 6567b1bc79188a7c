// SPDX-License-Identifier: Apache-2.0
internal import Foundation
public import TidingsDiagnostics

extension SentrySink {
    /// Returns a readable preview of the content that would be sent for a report now.
    ///
    /// The preview has the event as indented JSON, then each attached file with its name and size.
    ///
    /// Show the preview before you ask for consent. A server receives this content, a comment that
    /// the user wrote, the time of sending and the key of the server's project. The method is safe
    /// from any thread, and neither blocks nor sends.
    public static func preview(of report: Report) -> String {
        let files = report.attachments.sorted { $0.key < $1.key }.map(preview(of:_:))
        return ([event(of: report)] + files).joined(separator: "\n\n")
    }

    private static func preview(of name: String, _ content: Data) -> String {
        let title = "Attached file \(name), \(content.count) bytes"
        guard let text = String(validating: content, as: UTF8.self) else {
            return title + " of binary data"
        }
        return title + ":\n" + text
    }

    private static func event(of report: Report) -> String {
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
