// SPDX-License-Identifier: Apache-2.0

/// The number by which a library knows one item; never given out twice.
package struct ItemID: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
    package let rawValue: Int64

    package init(rawValue: Int64) {
        self.rawValue = rawValue
    }

    /// Reads an identifier that a person or a client typed; nil when it is not a positive number.
    package init?(_ text: some StringProtocol) {
        guard let value = Int64(text), value > 0 else { return nil }
        rawValue = value
    }

    package var description: String { String(rawValue) }

    package init(from decoder: any Decoder) throws {
        rawValue = try decoder.singleValueContainer().decode(Int64.self)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }
}
