// SPDX-License-Identifier: Apache-2.0
import Foundation

extension NotificationValue: Codable {
    /// Decodes a value.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Int.self) {
            self = .integer(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([NotificationValue].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: NotificationValue].self))
        }
    }

    /// Encodes the value.
    ///
    /// A number that is not finite becomes null, because JSON has no form for such numbers.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .number(let value) where !value.isFinite: try container.encodeNil()
        case .number(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .array(let value): try container.encode(value)
        case .object(let value): try container.encode(value)
        }
    }

    /// Creates a value from an encodable type of the program.
    ///
    /// - Parameter value: The value to encode.
    /// - Throws: The error of encoding the value to JSON.
    package init(encoding value: some Encodable) throws {
        let data = try JSONEncoder().encode(value)
        self = try JSONDecoder().decode(NotificationValue.self, from: data)
    }

    /// Decodes a type of the program from the value.
    ///
    /// - Parameter type: The type that was encoded.
    /// - Returns: The decoded value.
    /// - Throws: `DecodingError` if this value has another form.
    package func decode<Value: Decodable>(as type: Value.Type = Value.self) throws -> Value {
        try JSONDecoder().decode(type, from: JSONEncoder().encode(self))
    }
}
