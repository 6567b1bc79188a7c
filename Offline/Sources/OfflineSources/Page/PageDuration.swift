// SPDX-License-Identifier: Apache-2.0

/// The durations that pages state.
enum PageDuration {
    /// Returns the seconds of `PT1H2M3S`, `1:02:03` or `63.5`, or nil for any other string.
    static func seconds(_ text: String) -> Double? {
        guard text.utf8.count <= 32 else { return nil }
        let seconds = text.uppercased().hasPrefix("P") ? period(text.uppercased()) : clock(text)
        return seconds.flatMap { $0.isFinite && $0 > 0 ? $0 : nil }
    }

    /// Returns the seconds of `1:02:03`, `63.5` or `0`, or nil for any other string.
    static func position(_ text: String) -> Double? {
        guard text.utf8.count <= 32 else { return nil }
        return clock(text).flatMap { $0.isFinite ? $0 : nil }
    }

    private static func clock(_ text: String) -> Double? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map { Double($0) }
        guard (1...3).contains(parts.count) else { return nil }
        return parts.reduce(Optional(0.0)) { sum, part in
            guard let sum, let part, part >= 0 else { return nil }
            return sum * 60 + part
        }
    }

    private static func period(_ text: String) -> Double? {
        var seconds = 0.0
        var digits = ""
        var isTime = false
        for character in text.dropFirst() {
            if character == "T" {
                isTime = true
            } else if character.isNumber || character == "." {
                digits.append(character)
            } else {
                let units: [Character: Double] = ["D": 86_400, "H": 3_600, "M": 60, "S": 1]
                guard let number = Double(digits), let unit = units[character],
                    isTime || character == "D"
                else { return nil }
                seconds += number * unit
                digits = ""
            }
        }
        return digits.isEmpty ? seconds : nil
    }
}
