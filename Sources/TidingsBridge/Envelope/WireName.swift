// SPDX-License-Identifier: Apache-2.0

/// The name of a message's type between processes, such as `orders.placed`.
///
/// A wire name consists of tokens of letters, digits, `-` and `_`, separated by dots, in ASCII and
/// at most 100 characters long. Unlike the name of the Swift type, a wire name never changes.
///
/// ```swift
/// static let wireName: WireName = "orders.placed"
/// ```
public struct WireName: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The name.
    package let text: String

    /// Creates a name from a string of another program.
    ///
    /// - Returns: Nil unless the string is a name.
    package init?(_ text: String) {
        let tokens = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard text.utf8.count <= 100, tokens.allSatisfy(Self.isToken) else { return nil }
        self.text = text
    }

    /// Creates a name.
    ///
    /// - Precondition: The literal is a name.
    public init(stringLiteral text: String) {
        guard let name = WireName(text) else {
            preconditionFailure(
                "“\(text)” is no wire name. Use tokens of letters, digits, - and _, with dots."
            )
        }
        self = name
    }

    /// Creates the name of a state's type.
    init(ofState key: WireName) {
        text = "tidings-state.\(key)"
    }

    /// The name.
    public var description: String { text }

    static func isToken(_ bytes: some Collection<UInt8>) -> Bool {
        !bytes.isEmpty && bytes.allSatisfy { KeyToken.isPlain($0) }
    }
}
