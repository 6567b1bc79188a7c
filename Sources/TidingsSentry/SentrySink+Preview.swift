// SPDX-License-Identifier: Apache-2.0
internal import Foundation
public import TidingsDiagnostics

extension SentrySink {
    /// Returns the event that would be sent for a report now, as indented JSON for a person.
    ///
    /// Show it before you ask for consent. A server receives this event, the time of sending and
    /// the key of its project. Safe from any thread; it neither blocks nor sends.
    public static func preview(of report: Report) -> String {
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
