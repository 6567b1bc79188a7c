// SPDX-License-Identifier: Apache-2.0

/// The number format of playlists: only ASCII digits, without sign, exponent, hex or infinity.
enum DecimalNumber {
    /// Returns the integer, or nil if the text is not an integer or it overflows.
    static func integer(_ text: some StringProtocol) -> Int? {
        guard !text.isEmpty, text.utf8.allSatisfy(isDigit) else { return nil }
        return Int(text)
    }

    /// Returns the number with an optional fraction, or nil if the text is not a number.
    static func fraction(_ text: some StringProtocol) -> Double? {
        let point = UInt8(ascii: ".")
        guard
            let first = text.utf8.first, isDigit(first),
            text.utf8.count <= 32,
            text.utf8.allSatisfy({ isDigit($0) || $0 == point })
        else { return nil }
        return Double(text)
    }

    /// Returns the number without its fraction, which some servers add to a bandwidth.
    static func whole(_ text: some StringProtocol) -> Int? {
        integer(text) ?? fraction(text).flatMap { Int(exactly: $0.rounded(.down)) }
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}
