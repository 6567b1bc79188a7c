// SPDX-License-Identifier: Apache-2.0
package import OfflineModel
package import TidingsHTTP

/// The media that a web page offers.
package struct PageContents: Hashable, Sendable {
    /// The title of the page, or nil if the page has none.
    package var title: String?
    /// The address of the picture that the page states for itself.
    package var picture: WebAddress?
    /// The media, the most probable first.
    package var candidates: [PageCandidate] = []
    /// The pages that are embedded in the page and that may be players.
    package var players: [WebAddress] = []
    /// The feeds that the page names.
    package var feeds: [WebAddress] = []
    /// The number of addresses that exist only in a browser, such as addresses with `blob:`.
    package var browserAddresses = 0
    /// Whether the page names a system of copy protection.
    package var namesProtection = false
    /// The feeds of the page's entries without duplicates.
    ///
    /// Feeds of comments are left out if the page names another feed.
    package var entryFeeds: [WebAddress] {
        var known: Set<WebAddress> = []
        let distinct = feeds.filter { known.insert($0).inserted }
        let entries = distinct.filter { !$0.path.lowercased().contains("comment") }
        return entries.isEmpty ? distinct : entries
    }
    /// Whether the whole page was read and not only the start.
    package var isComplete = true
}

/// One film or recording of a page, with all forms in which the page offers it.
package struct PageCandidate: Hashable, Sendable {
    /// Where a page states media, the most reliable first.
    package enum Place: Int, Hashable, Sendable, Comparable {
        /// A `video` or `audio` element.
        case element
        /// The description for search engines (JSON-LD).
        case structuredData
        /// The settings of a player in a script or an attribute.
        case script
        /// An attribute of another element, such as `data-hls`.
        case attribute
        /// The description for other sites (`og:video`).
        case metadata
        /// A link to a file.
        case link

        /// Compares how reliable two places are.
        package static func < (left: Place, right: Place) -> Bool { left.rawValue < right.rawValue }
    }

    /// The form to download.
    package var media: PageMedia
    /// The other forms, the best first.
    package var alternatives: [PageMedia] = []
    /// The most reliable place that states the media.
    package var place: Place
    /// The title, or nil if the page states none for the media.
    package var title: String?
    /// The address of the picture.
    package var picture: WebAddress?
    /// The duration in seconds that the page states.
    package var duration: Double?
    /// The subtitles that the page states.
    package var subtitles: [PageSubtitle] = []
    /// The address of the chapters, or nil if the page states none.
    package var chapters: WebAddress?
    /// The chapters that the page itself contains.
    package var marks: [Chapter] = []
    /// Whether the page has the spoken text in a form that is not kept.
    package var hasTranscript = false
    /// Whether the media are an advertisement, a preview or a moving background.
    package var isDecoration = false
}

/// A subtitle file of a page.
package struct PageSubtitle: Hashable, Sendable {
    /// The address of the file.
    package var address: WebAddress
    /// The language, or nil if the page states none.
    package var language: String?
    /// The name for the user, or nil if the page states none.
    package var name: String?
}
