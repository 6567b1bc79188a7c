// SPDX-License-Identifier: Apache-2.0

/// A JSON value to write, in which objects keep the order of their members.
enum JSONValue: Equatable, Sendable {
    /// A member of an object.
    struct Member: Equatable, Sendable {
        let name: String
        let value: JSONValue
    }

    case text(String)
    case integer(Int)
    case number(Double)
    case flag(Bool)
    case list([JSONValue])
    case object([Member])

    /// The value as one line of JSON.
    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        write(to: &bytes)
        return bytes
    }

    private func write(to bytes: inout [UInt8]) {
        switch self {
        case .text(let text): Self.write(text, to: &bytes)
        case .integer(let number): bytes.append(contentsOf: "\(number)".utf8)
        case .number(let number):
            // JSON has no infinities and no NaN.
            if number.isFinite {
                bytes.append(contentsOf: "\(number)".utf8)
            } else {
                Self.write("\(number)", to: &bytes)
            }
        case .flag(let flag): bytes.append(contentsOf: (flag ? "true" : "false").utf8)
        case .list(let values):
            bytes.append(UInt8(ascii: "["))
            for (index, value) in values.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                value.write(to: &bytes)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let members):
            bytes.append(UInt8(ascii: "{"))
            for (index, member) in members.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                Self.write(member.name, to: &bytes)
                bytes.append(UInt8(ascii: ":"))
                member.value.write(to: &bytes)
            }
            bytes.append(UInt8(ascii: "}"))
        }
    }

    private static func write(_ text: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                bytes.append(UInt8(ascii: "\\"))
                bytes.append(byte)
            case UInt8(ascii: "\n"): bytes.append(contentsOf: "\\n".utf8)
            case 0..<0x20:
                let digits = String(byte, radix: 16)
                bytes.append(contentsOf: (byte < 0x10 ? "\\u000" : "\\u00").utf8)
                bytes.append(contentsOf: digits.utf8)
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByBooleanLiteral
{
    init(stringLiteral value: String) { self = .text(value) }
    init(integerLiteral value: Int) { self = .integer(value) }
    init(booleanLiteral value: Bool) { self = .flag(value) }
}

extension JSONValue: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral {
    /// Creates an object from the members with a value, in this order.
    init(dictionaryLiteral elements: (String, JSONValue?)...) {
        self = .object(
            elements.compactMap { name, value in value.map { Member(name: name, value: $0) } }
        )
    }

    init(arrayLiteral elements: JSONValue...) { self = .list(elements) }
}

extension JSONValue {
    /// Returns the text, or nil if empty.
    static func nonEmptyText(_ text: String) -> JSONValue? { text.isEmpty ? nil : .text(text) }

    /// Returns the list, or nil if empty.
    static func nonEmptyList(_ values: [JSONValue]) -> JSONValue? {
        values.isEmpty ? nil : .list(values)
    }

    /// Returns the object, or nil if empty.
    static func nonEmptyObject(_ members: [Member]) -> JSONValue? {
        members.isEmpty ? nil : .object(members)
    }

    /// Returns the address as `0x…`.
    static func address(_ address: UInt64) -> JSONValue {
        .text("0x" + String(address, radix: 16))
    }
}
