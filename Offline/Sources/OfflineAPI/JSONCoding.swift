// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineModel

/// The JSON format of the interface, with ISO 8601 dates and sorted keys.
package enum JSONCoding {
    /// Returns the value as UTF-8 JSON, or an empty object if the encoder throws.
    package static func encode(_ value: some Encodable) -> [UInt8] {
        (try? JSONFormat.encode(value)).map { [UInt8]($0) } ?? [0x7B, 0x7D]
    }

    /// Decodes the body of a request or a response.
    ///
    /// An empty body counts as an empty object.
    ///
    /// - Throws: `APIError` with `.badRequest` for another form, and the errors of the type.
    package static func decode<Value: Decodable>(
        _ type: Value.Type,
        from body: [UInt8]
    ) throws -> Value {
        do {
            return try JSONFormat.decode(type, from: Data(body.isEmpty ? [0x7B, 0x7D] : body))
        } catch let error as DecodingError {
            throw APIError(
                .badRequest,
                "The body is not the JSON object that this address expects. "
                    + "Compare it with Offline/Documentation/API.md.",
                cause: error
            )
        }
    }
}
