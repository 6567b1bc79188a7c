// SPDX-License-Identifier: Apache-2.0

/// Names whose values are nobody's business.
enum SecretName {
    /// How far the value of a name reaches.
    enum Reach {
        case word
        /// The value of a header: to the end of its line.
        case line
    }

    private static let longest = 64
    private static let headers: Set<String> = [
        "authorization", "proxyauthorization", "cookie", "setcookie",
    ]
    private static let exact: Set<String> = [
        "auth", "sig", "sid", "jwt", "pass", "pwd", "key", "hmac", "policy", "otp", "pin",
    ]
    private static let parts = [
        "token", "password", "passwd", "passphrase", "secret", "apikey", "accesskey", "privatekey",
        "signature", "credential", "session", "authorization", "cookie",
    ]

    /// Nil for a name that is no secret.
    static func reach(of name: some Collection<UInt8>) -> Reach? {
        guard !name.isEmpty, name.count <= longest else { return nil }
        let letters = name.lazy.filter { $0.isASCIILetterOrDigit }.map { $0.asciiLowercased }
        let plain = String(decoding: Array(letters), as: UTF8.self)
        if headers.contains(plain) { return .line }
        if exact.contains(plain) || parts.contains(where: { plain.contains($0) }) { return .word }
        return nil
    }
}

extension UInt8 {
    var isASCIIDigit: Bool { (0x30...0x39).contains(self) }
    var isASCIIUppercase: Bool { (0x41...0x5A).contains(self) }
    var isASCIILowercase: Bool { (0x61...0x7A).contains(self) }
    var isASCIILetterOrDigit: Bool { isASCIIDigit || isASCIIUppercase || isASCIILowercase }
    var asciiLowercased: UInt8 { isASCIIUppercase ? self | 0x20 : self }
}
