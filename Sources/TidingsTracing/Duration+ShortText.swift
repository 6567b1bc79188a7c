// SPDX-License-Identifier: Apache-2.0

extension Duration {
    /// The duration as readable text in a suitable unit, such as "850 ns", "9.4 µs", "12 ms" or
    /// "3.0 s".
    var shortText: String {
        let nanoseconds = self / .nanoseconds(1)
        let units = [(1e9, "s"), (1e6, "ms"), (1e3, "µs")]
        let (size, unit) = units.first { nanoseconds >= $0.0 } ?? (1, "ns")
        let amount = nanoseconds / size
        // Two digits are precise enough, and a fraction of a nanosecond has no meaning.
        guard amount < 9.95, size > 1 else { return "\(Int(amount.rounded())) \(unit)" }
        return "\((amount * 10).rounded() / 10) \(unit)"
    }
}
