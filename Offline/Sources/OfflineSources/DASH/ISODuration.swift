// SPDX-License-Identifier: Apache-2.0
import OfflineModel

/// Durations as XML writes them, such as `PT1H2M3.5S`.
enum ISODuration {
    /// The longest duration in seconds: about a hundred years.
    private static let longest = 4e9

    /// Returns the seconds, or nil if the string is not a duration or contains years or months.
    static func seconds(_ text: String) -> Double? {
        guard text.utf8.count <= 64, text.first == "P" else { return nil }
        let halves = text.dropFirst().split(
            separator: "T",
            maxSplits: 1,
            omittingEmptySubsequences: false
        )
        guard var total = sum(halves[0], ["Y": nil, "M": nil, "W": 604_800, "D": 86_400]) else {
            return nil
        }
        if halves.count == 2 {
            guard let time = sum(halves[1], ["H": 3_600, "M": 60, "S": 1]) else { return nil }
            total += time
        }
        return text.contains(where: \.isNumber) && total <= longest ? total : nil
    }

    private static func sum(_ text: Substring, _ units: [Character: Double?]) -> Double? {
        var total = 0.0
        var rest = text
        while !rest.isEmpty {
            let digits = rest.prefix { $0 == "." || $0.isNumber }
            guard let number = DecimalNumber.lenient(digits),
                let unit = rest.dropFirst(digits.count).first, let seconds = units[unit]
            else { return nil }
            // A year or a month has no fixed length.
            guard seconds != nil || number == 0 else { return nil }
            total += number * (seconds ?? 0)
            rest = rest.dropFirst(digits.count + 1)
        }
        return total
    }
}
