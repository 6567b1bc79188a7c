// SPDX-License-Identifier: Apache-2.0

/// The source of an item's title, where a smaller source goes before a larger source.
package enum TitleSource: Int, Comparable, Sendable {
    /// The user, or the feed or the catalog from which the user chose the item.
    case person
    /// The page that names the address of the media.
    case page
    /// The tags of the media.
    case tags
    /// The name that the server gives to the file.
    case server
    /// The playlist or the manifest of a stream.
    ///
    /// The raw value is the last one, because registries contain the others.
    case playlist = 5
    /// The address.
    case address = 4

    private static let order: [TitleSource] = [
        .person, .page, .tags, .server, .playlist, .address,
    ]

    /// Returns whether the first source goes before the second one.
    package static func < (first: TitleSource, second: TitleSource) -> Bool {
        let places = [first, second].map { order.firstIndex(of: $0) ?? order.count }
        return places[0] < places[1]
    }
}

extension MediaItem {
    /// Whether a title from a source replaces the title of the item.
    package func accepts(titleFrom source: TitleSource) -> Bool {
        source <= titleSource ?? (fields.title == Title(origin: origin).text ? .address : .person)
    }
}
