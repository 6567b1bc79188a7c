// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A limit for the speed of downloads.
package enum SpeedLimit: Hashable, Sendable {
    /// Any speed.
    case none
    /// This number of bytes per second.
    case bytesPerSecond(Int64)

    /// The lowest limit.
    ///
    /// Below this limit, connections would wait so long for their turns that servers close
    /// connections.
    package static let least: Int64 = 16_000
    private static let units: [(letter: Character, bytes: Int64)] = [
        ("G", 1_000_000_000), ("M", 1_000_000), ("K", 1_000),
    ]

    /// The words that a shell offers.
    package static let usualWords = ["none", "500K", "1M", "2M", "5M"]

    /// The bytes per second, or nil without a limit.
    package var rate: Int64? {
        if case .bytesPerSecond(let rate) = self { rate } else { nil }
    }
}

extension SpeedLimit: RawRepresentable {
    /// Parses `none`, or a number of bytes per second such as `500K`, `2M` or `1.5m`, and returns
    /// nil for any other text.
    package init?(rawValue: String) {
        if rawValue == "none" {
            self = .none
            return
        }
        let form = /([0-9]{1,12})(?:\.([0-9]{1,3}))?([KkMmGg]?)/
        guard let match = rawValue.wholeMatch(of: form), let whole = Int64(match.1) else {
            return nil
        }
        let letter = match.3.uppercased()
        let unit = Self.units.first { String($0.letter) == letter }?.bytes ?? 1
        let thousandths = match.2.flatMap {
            Int64($0.padding(toLength: 3, withPad: "0", startingAt: 0))
        }
        // A number of single bytes cannot have a fraction.
        if thousandths != nil, unit == 1 { return nil }
        let (bytes, overflow) = whole.multipliedReportingOverflow(by: unit)
        let rate = bytes.addingReportingOverflow(unit / 1_000 * (thousandths ?? 0))
        guard !overflow, !rate.overflow, rate.partialValue >= Self.least else { return nil }
        self = .bytesPerSecond(rate.partialValue)
    }

    /// `none`, or the number with the largest unit that needs no fraction.
    package var rawValue: String {
        guard let rate else { return "none" }
        for (letter, bytes) in Self.units where rate % bytes == 0 {
            return "\(rate / bytes)\(letter)"
        }
        return "\(rate)"
    }
}
