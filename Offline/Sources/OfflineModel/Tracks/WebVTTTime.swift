// SPDX-License-Identifier: Apache-2.0

/// The times of WebVTT, such as `1:02:03.456` or `02:03.456`.
package enum WebVTTTime {
    /// Returns the seconds, or nil for any other text.
    ///
    /// As in other formats, a comma may replace the point and the fraction may be missing.
    package static func seconds(_ text: Substring) -> Double? {
        guard text.utf8.count <= 20 else { return nil }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count), let last = parts.last else { return nil }
        let fraction = last.split(
            maxSplits: 1,
            omittingEmptySubsequences: false,
            whereSeparator: { $0 == "." || $0 == "," }
        )
        guard let whole = DecimalNumber.integer(fraction[0]), whole < 60,
            let minutes = DecimalNumber.integer(parts[parts.count - 2]), minutes < 60
        else { return nil }
        var hours = 0
        if parts.count == 3 {
            guard let number = DecimalNumber.integer(parts[0]), number < 1_000_000 else {
                return nil
            }
            hours = number
        }
        var thousandths = 0.0
        if fraction.count == 2 {
            guard let value = DecimalNumber.fraction("0.\(fraction[1])"), !fraction[1].isEmpty
            else { return nil }
            thousandths = value
        }
        return Double(hours * 3_600 + minutes * 60 + whole) + thousandths
    }

    /// Returns the text of a time, rounded to milliseconds.
    package static func text(_ seconds: Double) -> String {
        let total = Int((min(max(seconds, 0), 1e9) * 1_000).rounded())
        let (rest, milliseconds) = total.quotientAndRemainder(dividingBy: 1_000)
        return "\(padded(rest / 3_600, 2)):\(padded(rest / 60 % 60, 2)):\(padded(rest % 60, 2))"
            + ".\(padded(milliseconds, 3))"
    }

    private static func padded(_ number: Int, _ count: Int) -> String {
        let text = "\(number)"
        return String(repeating: "0", count: max(0, count - text.count)) + text
    }
}
