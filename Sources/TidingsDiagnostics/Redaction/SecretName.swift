// SPDX-License-Identifier: Apache-2.0

/// Names whose values are secret.
enum SecretName {
    /// The extent of the value of a secret name.
    enum Reach {
        case word
        /// The value extends to the end of the line, as for a header.
        case line
    }

    private static let headers = names("authorization proxyauthorization cookie setcookie")
    private static let exact = names("auth sig sid jwt pass key hmac policy otp pin")
    private static let parts = names(
        "token password passwd pwd passphrase secret apikey accesskey privatekey signature "
            + "credential session authorization cookie"
    )

    /// Returns the extent of a name's value, or nil if the name is not secret.
    static func reach(of name: ArraySlice<UInt8>) -> Reach? {
        guard name.count > 1 else { return nil }
        var letters: [UInt8] = []
        letters.reserveCapacity(name.count)
        for byte in name where byte.isASCIILetterOrDigit { letters.append(byte.asciiLowercased) }
        if headers.contains(letters) { return .line }
        if exact.contains(letters) || parts.contains(where: { isPart($0, of: letters) }) {
            return .word
        }
        return nil
    }

    private static func names(_ text: String) -> [[UInt8]] {
        text.utf8.split(separator: 0x20).map { Array($0) }
    }

    private static func isPart(_ part: [UInt8], of letters: [UInt8]) -> Bool {
        guard letters.count >= part.count else { return false }
        return (0...(letters.count - part.count)).contains { start in
            letters[start] == part[0] && letters[start..<(start + part.count)].elementsEqual(part)
        }
    }
}

extension UInt8 {
    var isASCIIDigit: Bool { (0x30...0x39).contains(self) }
    var isASCIIUppercase: Bool { (0x41...0x5A).contains(self) }
    var isASCIILowercase: Bool { (0x61...0x7A).contains(self) }
    var isASCIILetterOrDigit: Bool { isASCIIDigit || isASCIIUppercase || isASCIILowercase }
    var asciiLowercased: UInt8 { isASCIIUppercase ? self | 0x20 : self }
}
