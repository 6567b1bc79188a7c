// SPDX-License-Identifier: Apache-2.0
package import Foundation

/// The JSON format of the API and the commands: ISO 8601 dates, sorted keys, unescaped slashes.
package enum JSONFormat {
    /// Encodes a value, on several lines if `pretty` is set.
    package static func encode(_ value: some Encodable, pretty: Bool = false) throws -> Data {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "Infinity",
            negativeInfinity: "-Infinity",
            nan: "NaN"
        )
        if pretty { encoder.outputFormatting.insert(.prettyPrinted) }
        return try encoder.encode(value)
    }

    /// Decodes a value.
    package static func decode<Value: Decodable>(
        _ type: Value.Type,
        from data: Data
    ) throws
        -> Value
    {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        return try decoder.decode(type, from: data)
    }
}
