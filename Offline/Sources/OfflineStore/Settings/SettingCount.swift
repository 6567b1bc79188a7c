// SPDX-License-Identifier: Apache-2.0

/// A number that the user has fixed or leaves to the program.
package enum SettingCount: Hashable, Sendable {
    /// The program adapts the number.
    case automatic
    /// The number is never exceeded.
    case fixed(Int)

    /// The numbers that can be fixed.
    package static let numbers = 1...16

    /// The fixed number, or nil if the program adapts the number.
    package var number: Int? {
        if case .fixed(let number) = self { number } else { nil }
    }
}

extension SettingCount: RawRepresentable {
    /// Parses `auto` or a number, and returns nil for any other text.
    package init?(rawValue: String) {
        if rawValue == "auto" {
            self = .automatic
        } else if rawValue.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let number = Int(rawValue), Self.numbers.contains(number)
        {
            self = .fixed(number)
        } else {
            return nil
        }
    }

    /// `auto` or the number.
    package var rawValue: String { number.map { "\($0)" } ?? "auto" }
}
