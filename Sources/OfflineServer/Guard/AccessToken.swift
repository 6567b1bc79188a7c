// SPDX-License-Identifier: Apache-2.0

/// The secret that a request must carry.
package struct AccessToken: Sendable, Equatable {
    /// The token as it stands in the first address and in the cookie.
    package let text: String

    /// Takes a token that is fit for an address, a cookie and a header, and long enough not to be
    /// guessed; nil otherwise.
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

    /// Makes a new token of 256 random bits from the system's generator.
    package static func random() -> AccessToken {
        var generator = SystemRandomNumberGenerator()
        let digits = Array("0123456789abcdef")
        let text = (0..<64).map { _ in
            digits[Int.random(in: 0..<16, using: &generator)]
        }
        // Hexadecimal digits are always taken by the initialiser.
        return AccessToken(unchecked: String(text))
    }

    private init(unchecked text: String) {
        self.text = text
    }

    /// Compares in a time that does not tell how many characters were right.
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
