// SPDX-License-Identifier: Apache-2.0

/// A page in the style of one kind of player, with the media of the page.
package struct PageSample: Sendable {
    /// The kind of player.
    package let name: String
    /// The markup of the page at `https://site.example/watch/film.html`.
    package let html: String
    /// The paths of the best form of each candidate.
    ///
    /// A path without a host belongs to `https://site.example`.
    package let media: [String]

    /// Creates a sample.
    package init(_ name: String, _ html: String, _ media: String...) {
        self.name = name
        self.html = html
        self.media = media.map { $0.hasPrefix("/") ? "https://site.example\($0)" : $0 }
    }
}
