// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The decoder of `Shapes` for one type.
final class ShapeDecoder: Decoder {
    let codingPath: [any CodingKey] = []
    let userInfo: [CodingUserInfoKey: Any] = [:]
    let sample: String
    fileprivate let shapes: Shapes
    fileprivate var members: [(name: String, shape: String)] = []
    fileprivate var optional: Set<String> = []
    fileprivate var single: String?

    /// Creates a decoder that supplies a sample for each string.
    init(shapes: Shapes, sample: String) {
        self.shapes = shapes
        self.sample = sample
    }

    /// The form that the type has asked for.
    var shape: String {
        let members = members.map { name, shape in
            "\(name)\(optional.contains(name) ? "?" : ""): \(shape)"
        }
        return single ?? (members.isEmpty ? "{}" : "{ \(members.joined(separator: "; ")) }")
    }

    func container<Key>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(ShapeMembers(decoder: self))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw unknown }

    func singleValueContainer() -> any SingleValueDecodingContainer { ShapeValue(decoder: self) }
}

private struct ShapeMembers<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let decoder: ShapeDecoder
    let codingPath: [any CodingKey] = []
    let allKeys: [Key] = []

    private func note<Value>(_ shape: String, _ key: Key, _ value: Value) -> Value {
        decoder.members.removeAll { $0.name == key.stringValue }
        decoder.members.append((key.stringValue, shape))
        return value
    }

    func contains(_ key: Key) -> Bool {
        decoder.optional.insert(key.stringValue)
        return true
    }

    func decodeNil(forKey key: Key) -> Bool { !contains(key) }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        let (shape, value) = try decoder.shapes.described(type)
        return note(shape, key, value)
    }

    func decode(_: Bool.Type, forKey key: Key) throws -> Bool { note("boolean", key, true) }
    func decode(_: String.Type, forKey key: Key) throws -> String {
        note("string", key, decoder.sample)
    }
    func decode(_: Double.Type, forKey key: Key) throws -> Double { note("number", key, 1) }
    func decode(_: Float.Type, forKey key: Key) throws -> Float { note("number", key, 1) }
    func decode(_: Int.Type, forKey key: Key) throws -> Int { note("number", key, 1) }
    func decode(_: Int8.Type, forKey key: Key) throws -> Int8 { note("number", key, 1) }
    func decode(_: Int16.Type, forKey key: Key) throws -> Int16 { note("number", key, 1) }
    func decode(_: Int32.Type, forKey key: Key) throws -> Int32 { note("number", key, 1) }
    func decode(_: Int64.Type, forKey key: Key) throws -> Int64 { note("number", key, 1) }
    func decode(_: UInt.Type, forKey key: Key) throws -> UInt { note("number", key, 1) }
    func decode(_: UInt8.Type, forKey key: Key) throws -> UInt8 { note("number", key, 1) }
    func decode(_: UInt16.Type, forKey key: Key) throws -> UInt16 { note("number", key, 1) }
    func decode(_: UInt32.Type, forKey key: Key) throws -> UInt32 { note("number", key, 1) }
    func decode(_: UInt64.Type, forKey key: Key) throws -> UInt64 { note("number", key, 1) }

    func nestedContainer<Nested>(
        keyedBy type: Nested.Type,
        forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> { throw unknown }
    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        throw unknown
    }
    func superDecoder() throws -> any Decoder { throw unknown }
    func superDecoder(forKey key: Key) throws -> any Decoder { throw unknown }
}

private struct ShapeValue: SingleValueDecodingContainer {
    let decoder: ShapeDecoder
    let codingPath: [any CodingKey] = []

    private func note<Value>(_ shape: String, _ value: Value) -> Value {
        decoder.single = shape
        return value
    }

    func decodeNil() -> Bool { false }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let (shape, value) = try decoder.shapes.described(type)
        return note(shape, value)
    }

    func decode(_: Bool.Type) throws -> Bool { note("boolean", true) }
    func decode(_: String.Type) throws -> String { note("string", decoder.sample) }
    func decode(_: Double.Type) throws -> Double { note("number", 1) }
    func decode(_: Float.Type) throws -> Float { note("number", 1) }
    func decode(_: Int.Type) throws -> Int { note("number", 1) }
    func decode(_: Int8.Type) throws -> Int8 { note("number", 1) }
    func decode(_: Int16.Type) throws -> Int16 { note("number", 1) }
    func decode(_: Int32.Type) throws -> Int32 { note("number", 1) }
    func decode(_: Int64.Type) throws -> Int64 { note("number", 1) }
    func decode(_: UInt.Type) throws -> UInt { note("number", 1) }
    func decode(_: UInt8.Type) throws -> UInt8 { note("number", 1) }
    func decode(_: UInt16.Type) throws -> UInt16 { note("number", 1) }
    func decode(_: UInt32.Type) throws -> UInt32 { note("number", 1) }
    func decode(_: UInt64.Type) throws -> UInt64 { note("number", 1) }
}

/// The error of a form that no type of the interface has.
private let unknown = DecodingError.dataCorrupted(
    .init(codingPath: [], debugDescription: "The form of the value has no description.")
)
