// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The form in which a report lies on disk.
enum ReportFormat {
    private static var dates: Date.ISO8601FormatStyle {
        Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    }

    static func encode(_ report: Report) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .custom { date, encoder in
            var container = encoder.singleValueContainer()
            try container.encode(date.formatted(dates))
        }
        return try encoder.encode(report)
    }

    static func decode(_ data: Data) throws -> Report {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom { decoder in
            try dates.parse(decoder.singleValueContainer().decode(String.self))
        }
        return try decoder.decode(Report.self, from: data)
    }
}
