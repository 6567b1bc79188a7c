// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
/// A typed value of a D-Bus message.
///
/// D-Bus does not convert types. A receiver silently ignores a hint whose number has another width
/// than expected.
indirect enum BusValue: Hashable, Sendable {
    case byte(UInt8)
    case bool(Bool)
    case int16(Int16)
    case uint16(UInt16)
    case int32(Int32)
    case uint32(UInt32)
    case int64(Int64)
    case uint64(UInt64)
    case double(Double)
    case string(String)
    case objectPath(String)
    case signature(String)
    /// An array of bytes.
    case bytes([UInt8])
    /// An array whose elements have the given signature.
    case array(of: String, [BusValue])
    case structure([BusValue])
    /// An entry of a dictionary, which is an array of entries.
    case entry(BusValue, BusValue)
    case variant(BusValue)

    /// Returns a dictionary of type `a{sv}`, sorted by key.
    static func options(_ values: [String: BusValue]) -> BusValue {
        .array(
            of: "{sv}",
            values.sorted { $0.key < $1.key }.map { .entry(.string($0.key), .variant($0.value)) }
        )
    }

    static func strings(_ values: [String]) -> BusValue {
        .array(of: "s", values.map(BusValue.string))
    }

    /// The D-Bus signature of the value.
    var signature: String {
        switch self {
        case .byte: "y"
        case .bool: "b"
        case .int16: "n"
        case .uint16: "q"
        case .int32: "i"
        case .uint32: "u"
        case .int64: "x"
        case .uint64: "t"
        case .double: "d"
        case .string: "s"
        case .objectPath: "o"
        case .signature: "g"
        case .bytes: "ay"
        case .array(let element, _): "a" + element
        case .structure(let members): "(" + members.map(\.signature).joined() + ")"
        case .entry(let key, let value): "{" + key.signature + value.signature + "}"
        case .variant: "v"
        }
    }
}

extension BusValue {
    /// The number of bytes in the strings and the arrays of bytes of the value.
    var length: Int {
        switch self {
        case .string(let text), .objectPath(let text), .signature(let text): text.utf8.count
        case .bytes(let bytes): bytes.count
        case .array(_, let values), .structure(let values): values.reduce(0) { $0 + $1.length }
        case .entry(let key, let value): key.length + value.length
        case .variant(let value): value.length
        case .byte, .bool, .int16, .uint16, .int32, .uint32, .int64, .uint64, .double: 8
        }
    }

    var asString: String? {
        switch self {
        case .string(let text), .objectPath(let text), .signature(let text): text
        case .byte, .bool, .int16, .uint16, .int32, .uint32, .int64, .uint64, .double, .bytes,
            .array, .structure, .entry, .variant:
            nil
        }
    }

    var asUInt32: UInt32? {
        if case .uint32(let number) = self { number } else { nil }
    }

    /// The strings of an array of strings.
    var asStrings: [String]? {
        if case .array("s", let elements) = self { elements.compactMap(\.asString) } else { nil }
    }

    /// The elements of an array.
    var asArray: [BusValue]? {
        if case .array(_, let elements) = self { elements } else { nil }
    }

    /// The values of an `a{sv}` dictionary, without the variants.
    var asOptions: [String: BusValue]? {
        guard case .array("{sv}", let entries) = self else { return nil }
        var values: [String: BusValue] = [:]
        for case .entry(.string(let name), .variant(let value)) in entries { values[name] = value }
        return values
    }
}
#endif
