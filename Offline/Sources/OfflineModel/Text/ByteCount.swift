// SPDX-License-Identifier: Apache-2.0

/// Numbers of bytes as text.
package enum ByteCount {
    /// Returns a size such as `12.4 MB`.
    package static func text(_ count: Int64) -> String {
        let units = ["bytes", "kB", "MB", "GB", "TB"]
        var value = Double(max(count, 0))
        var unit = 0
        while value >= 1_000, unit < units.count - 1 {
            value /= 1_000
            unit += 1
        }
        return unit == 0 ? "\(count) bytes" : "\(tenths(value)) \(units[unit])"
    }

    private static func tenths(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }
}
