// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The form of the bodies: JSON, unless you pass closures of another coder.
///
/// ```swift
/// let codec = BridgeCodec(
///     encode: { try Array(PropertyListEncoder().encode($0)) },
///     decode: { try PropertyListDecoder().decode($0, from: Data($1)) }
/// )
/// ```
public struct BridgeCodec: Sendable {
    private let encoding: @Sendable (any Encodable) throws -> [UInt8]
    private let decoding: @Sendable (any Decodable.Type, [UInt8]) throws -> any Decodable

    /// Creates a codec.
    ///
    /// Both closures are called on any thread, and on several threads at the same time.
    public init(
        encode: @escaping @Sendable (any Encodable) throws -> [UInt8],
        decode: @escaping @Sendable (any Decodable.Type, [UInt8]) throws -> any Decodable
    ) {
        encoding = encode
        decoding = decode
    }

    /// JSON with dates in ISO 8601.
    public static let json: BridgeCodec = {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        return BridgeCodec(
            encode: { try [UInt8](encoder.encode($0)) },
            decode: { try decoder.decode($0, from: Data($1)) }
        )
    }()

    func encode(_ value: some Encodable) throws -> [UInt8] { try encoding(value) }

    func decode<Value: Decodable>(_ type: Value.Type, _ body: [UInt8]) throws -> Value {
        let value = try decoding(type, body)
        guard let value = value as? Value else { throw StepMismatch() }
        return value
    }
}
