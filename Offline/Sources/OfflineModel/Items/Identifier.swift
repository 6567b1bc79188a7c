// SPDX-License-Identifier: Apache-2.0

/// The identifier of an item in a library, which is never reused.
package typealias ItemID = Identifier<MediaItem>
/// The identifier of a followed feed in a library, which is never reused.
package typealias FeedID = Identifier<Feed>
/// The identifier of a collection in a library, which is never reused.
package typealias CollectionID = Identifier<MediaCollection>

/// The number of a `Subject` in a library, which code cannot confuse with a number of another kind.
package struct Identifier<Subject>: RawRepresentable, Hashable, Sendable, Codable,
    CustomStringConvertible
{
    /// The row identifier in the registry.
    package let rawValue: Int64

    /// Creates an identifier from a row identifier.
    package init(rawValue: Int64) {
        self.rawValue = rawValue
    }

    /// Parses an identifier from the input of a user or client, or returns nil unless the input is
    /// a positive number.
    package init?(_ text: some StringProtocol) {
        guard let value = Int64(text), value > 0 else { return nil }
        rawValue = value
    }

    /// The decimal number.
    package var description: String { String(rawValue) }

    /// Decodes a single number.
    package init(from decoder: any Decoder) throws {
        rawValue = try decoder.singleValueContainer().decode(Int64.self)
    }

    /// Encodes a single number.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }
}
