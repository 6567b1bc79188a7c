// SPDX-License-Identifier: Apache-2.0
import Foundation
import TidingsDiagnostics

extension Report {
    /// Reads the reports in a file.
    ///
    /// The file may be a report, an event, an envelope with an event, or lines of JSON with a
    /// report or an event in each line. Everything else in the file is skipped.
    static func all(in data: Data) -> [Report] {
        if let report = Report(anyFormat: data) { return [report] }
        // The payload of an event is one line, even in an envelope.
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
