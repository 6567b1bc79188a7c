// SPDX-License-Identifier: Apache-2.0
import Foundation
import TidingsDiagnostics

extension Report {
    /// Reads the reports in a file.
    ///
    /// It may be a report, an event, an envelope with one, or lines of JSON with one of them each.
    /// Everything else in it is skipped.
    static func all(in data: Data) -> [Report] {
        if let report = Report(anyFormat: data) { return [report] }
        // The payload of an event is one line, also in an envelope.
        return data.split(separator: UInt8(ascii: "\n")).compactMap { line in
            Report(anyFormat: Data(line))
        }
    }

    private init?(anyFormat data: Data) {
        if let report = Report(encoded: data) ?? Report(delivered: data) {
            self = report
        } else if let event = try? JSONDecoder().decode(SentEvent.self, from: data),
            let report = event.report
        {
            self = report
        } else {
            return nil
        }
    }
}
