// SPDX-License-Identifier: Apache-2.0

/// The number formats of playlists: only ASCII, without hex, infinity or a minus sign.
package enum DecimalNumber {
    /// Returns the integer, or nil if the text is not an integer or overflows.
    package static func integer(_ text: some StringProtocol) -> Int? {
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

    /// Returns a number as players read numbers, including `+5`, `.5`, `5.` and `1.2e1`.
    package static func lenient(_ text: some StringProtocol) -> Double? {
        if let plain = fraction(text) { return plain }
        guard text.utf8.count <= 32,
            let match = String(text).wholeMatch(
                of: /\+?(?<whole>[0-9]*)\.?(?<fraction>[0-9]*)(?<exponent>[eE][+\-]?[0-9]{1,3})?/
            ),
            !match.whole.isEmpty || !match.fraction.isEmpty
        else { return nil }
        let number = "0\(match.whole).\(match.fraction)0\(match.exponent ?? "")"
        return Double(number).flatMap { $0.isFinite ? $0 : nil }
    }

    /// Returns the number without the fraction, which some servers add to an integer.
    package static func whole(_ text: some StringProtocol) -> Int? {
        integer(text) ?? lenient(text).flatMap { Int(exactly: $0.rounded(.down)) }
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}
