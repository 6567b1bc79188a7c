// SPDX-License-Identifier: Apache-2.0

/// One header field.
package struct HTTPHeader: Hashable, Sendable {
    /// The name, in the case in which the name was set or received.
    package var name: String
    /// The value.
    ///
    /// A received value has no surrounding whitespace.
    package var value: String

    /// Creates a field.
    ///
    /// Invalid characters are rejected when a request with the field is sent.
    package init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }

    /// Whether name and value contain only characters that are valid in one header line.
    package var isSendable: Bool {
        !name.isEmpty && name.utf8.allSatisfy(Self.isTokenByte)
            && value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
    }

    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "A")...UInt8(ascii: "Z"):
            true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }
}

extension HTTPHeader: CustomStringConvertible, CustomDebugStringConvertible {
    /// Only the name, because values hold credentials and cookies.
    package var description: String { redactedName }

    /// Only the name, because values hold credentials and cookies.
    package var debugDescription: String { redactedName }

    /// The name for messages, cut after the leading letters and hyphens.
    ///
    /// A user may have pasted a secret in place of a name.
    package var redactedName: String {
        String(name.unicodeScalars.prefix { $0.isASCII && $0.properties.isAlphabetic || $0 == "-" })
    }
}

/// The header fields of a response in the order of arrival.
///
/// Names are case-insensitive.
package struct HTTPHeaders: Hashable, Sendable {
    /// All fields, including those with repeated names.
    package private(set) var fields: [HTTPHeader]

    /// Creates headers from fields in the given order.
    package init(_ fields: [HTTPHeader] = []) {
        self.fields = fields
    }

    /// Returns the value of the first field with a name, or nil if there is none.
    package func first(_ name: String) -> String? {
        fields.first { Self.isSameName($0.name, name) }?.value
    }

    /// Returns the values of all fields with a name, in order.
    package func all(_ name: String) -> [String] {
        fields.filter { Self.isSameName($0.name, name) }.map(\.value)
    }

    mutating func append(_ field: HTTPHeader) { fields.append(field) }

    mutating func extendLast(with text: String) {
        guard !fields.isEmpty else { return }
        fields[fields.count - 1].value += " " + text
    }

    private static func isSameName(_ left: String, _ right: String) -> Bool {
        left.utf8.count == right.utf8.count
            && zip(left.utf8, right.utf8).allSatisfy { lowercase($0) == lowercase($1) }
    }

    private static func lowercase(_ byte: UInt8) -> UInt8 {
        byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte
    }
}
