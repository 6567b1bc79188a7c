// SPDX-License-Identifier: Apache-2.0
import Testing

/// A page in the style of one kind of player, with the media that it offers.
struct PageSample: CustomTestStringConvertible, Sendable {
    /// The kind of player.
    let name: String
    /// The markup of the page at `https://site.example/watch/film.html`.
    let html: String
    /// The paths of the best forms of the candidates, on `https://site.example` unless absolute.
    let media: [String]

    var testDescription: String { name }

    init(_ name: String, _ html: String, _ media: String...) {
        self.name = name
        self.html = html
        self.media = media.map { $0.hasPrefix("/") ? "https://site.example\($0)" : $0 }
    }
}
