// SPDX-License-Identifier: Apache-2.0

/// The token that authenticates a request.
package struct AccessToken: Sendable, Equatable {
    /// The token as in the address, the cookie and the header.
    package let text: String

    /// Creates a token from 16 to 256 letters, digits, `-` or `_`.
    ///
    /// Returns nil for any other string.
    ///
    /// These characters need no encoding in an address, a cookie or a header, and an attacker
    /// cannot guess 16 characters.
    package init?(_ text: String) {
        guard text.utf8.count >= 16, text.utf8.count <= 256 else { return nil }
        let isPlain = text.utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x5F: true
            default: false
            }
        }
        guard isPlain else { return nil }
        self.text = text
    }

    /// Creates a token of random hexadecimal digits with the system's generator.
    ///
    /// - Parameter count: The number of digits of four bits each, at least 16, and 64 by default.
    /// - Returns: The token.
    package static func random(digits count: Int = 64) -> AccessToken {
        var generator = SystemRandomNumberGenerator()
        let digits = Array("0123456789abcdef")
        let text = (0..<max(16, count)).map { _ in
            digits[Int.random(in: 0..<16, using: &generator)]
        }
        // Hexadecimal digits always pass the checks of the initializer.
        return AccessToken(unchecked: String(text))
    }

    private init(unchecked text: String) {
        self.text = text
    }

    /// Compares tokens of the same length in constant time, so that the duration does not reveal
    /// how many characters match.
    func matches(_ candidate: String) -> Bool {
        let secret = Array(text.utf8)
        let given = Array(candidate.utf8)
        guard given.count == secret.count else { return false }
        var difference: UInt8 = 0
        for index in secret.indices {
            difference |= secret[index] ^ given[index]
        }
        return difference == 0
    }
}
