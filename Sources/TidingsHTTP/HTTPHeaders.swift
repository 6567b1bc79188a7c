// SPDX-License-Identifier: Apache-2.0

/// One header field.
package struct HTTPHeader: Hashable, Sendable {
    package var name: String
    package var value: String

    package init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }

    /// Whether it can be sent without becoming something else than one header.
    var isSendable: Bool {
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
    /// The name alone: values hold credentials and cookies.
    package var description: String { redactedName }

    package var debugDescription: String { redactedName }

    /// The name as a text for people may show it: a secret pasted in its place must not stand there.
    var redactedName: String {
        String(name.unicodeScalars.prefix { $0.isASCII && $0.properties.isAlphabetic || $0 == "-" })
    }
}

/// The header fields of an answer in the order they came; names are compared without case.
package struct HTTPHeaders: Hashable, Sendable {
    package private(set) var fields: [HTTPHeader]

    package init(_ fields: [HTTPHeader] = []) {
        self.fields = fields
    }

    /// The value of the first field of that name.
    package func first(_ name: String) -> String? {
        fields.first { Self.same($0.name, name) }?.value
    }

    /// The values of all fields of that name.
    package func all(_ name: String) -> [String] {
        fields.filter { Self.same($0.name, name) }.map(\.value)
    }

    mutating func append(_ field: HTTPHeader) { fields.append(field) }

    mutating func extendLast(with text: String) {
        guard !fields.isEmpty else { return }
        fields[fields.count - 1].value += " " + text
    }

    private static func same(_ left: String, _ right: String) -> Bool {
        left.utf8.count == right.utf8.count
            && zip(left.utf8, right.utf8).allSatisfy { lowercase($0) == lowercase($1) }
    }

    private static func lowercase(_ byte: UInt8) -> UInt8 {
        byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte
    }
}
