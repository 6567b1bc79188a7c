// SPDX-License-Identifier: Apache-2.0

/// The source of an item's title; a smaller one goes before a larger one.
package enum TitleSource: Int, Comparable, Sendable {
    /// The person, or the feed or the catalog that the person chose the item from.
    case person
    /// The page that names the address of the media.
    case page
    /// The tags of the media.
    case tags
    /// The name that the server gives to the file.
    case server
    /// The address.
    case address

    /// Returns whether the first source goes before the second one.
    package static func < (first: TitleSource, second: TitleSource) -> Bool {
        first.rawValue < second.rawValue
    }
}

extension MediaItem {
    /// Whether a title of a source replaces the item's.
    func accepts(titleFrom source: TitleSource) -> Bool {
        source <= titleSource ?? (title == Title(origin: origin).text ? .address : .person)
    }
}
