// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The file format of reports and of the reporter's state.
enum ReportFormat {
    private static var dates: Date.ISO8601FormatStyle {
        Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    }

    static func encode(_ value: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .custom { date, encoder in
            var container = encoder.singleValueContainer()
            try container.encode(date.formatted(dates))
        }
        return try encoder.encode(value)
    }

    static func decode(_ data: Data) throws -> Report {
        try decode(Report.self, data)
    }

    static func decode<Value: Decodable>(_ type: Value.Type, _ data: Data) throws -> Value {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom { decoder in
            try dates.parse(decoder.singleValueContainer().decode(String.self))
        }
        return try decoder.decode(type, from: data)
    }
}
