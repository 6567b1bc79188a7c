// SPDX-License-Identifier: Apache-2.0

/// Times and durations of media as text.
package enum PlayTime {
    /// Returns a time such as `1:02:03` or `4:05`, or a dash for a number that is not a time.
    package static func text(_ seconds: Double) -> String {
        guard seconds.isFinite, seconds >= 0, seconds < 1e9 else { return "–" }
        let total = Int(seconds.rounded())
        let (hours, minutes, rest) = (total / 3_600, total / 60 % 60, total % 60)
        return hours > 0
            ? "\(hours):\(two(minutes)):\(two(rest))" : "\(minutes):\(two(rest))"
    }

    private static func two(_ number: Int) -> String {
        number < 10 ? "0\(number)" : "\(number)"
    }
}
