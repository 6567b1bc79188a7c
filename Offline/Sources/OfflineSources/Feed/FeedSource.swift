// SPDX-License-Identifier: Apache-2.0
import OfflineMedia
package import OfflineModel
import TidingsHTTP

/// A feed, which is followed instead of being kept as media.
package struct FeedSource: ReferringSource {
    /// The kind of feeds.
    package let kind = ItemKind.feed
    /// The name of the format.
    package let name = "a feed"
    /// The maximum size of a feed in bytes.
    package let descriptionLimit = FeedLimits().bytes

    /// Creates the source.
    package init() {}

    /// Returns the inspection of a feed, or nil for any other response.
    package func inspect(_ response: FirstResponse) -> Inspection? {
        if response.content == .feed { return .elsewhere(self) }
        // UTF-16 does not look like text, and a long comment hides the outermost element.
        let isFeed = FeedSniffer.types.contains(response.head.contentType ?? "")
        return response.content.isUnspecific && isFeed ? .elsewhere(self) : nil
    }

    /// Returns true, because a feed with a missing end is not a complete document.
    package func showsEnd(of description: SourceDocument) -> Bool { true }

    /// Throws an error that names the feed and the command for following the feed.
    package func references(
        in description: SourceDocument,
        with requests: SourceRequests
    ) async throws(DownloadError) -> [MediaReference] {
        throw refusal(of: try await document(description), requests)
    }

    /// Returns the error that names a feed and the command for following the feed.
    package func refusal(of feed: FeedDocument, _ requests: SourceRequests) -> DownloadError {
        DownloadError(
            following: feed,
            at: requests.endpoint.address,
            with: SuggestedCommand(
                RequestedChoice(requests.choice),
                allowsPrivateAddresses: requests.endpoint.allowsPrivateAddresses,
                requests.endpoint.access?.options ?? RequestOptions()
            )
        )
    }
}

extension FeedSource {
    /// Returns the title of a feed and the entries with media, the newest first.
    package func entries(
        in description: SourceDocument
    ) async throws(DownloadError) -> (title: String, candidates: [MediaCandidate]) {
        let feed = try await document(description)
        return (feed.title, Self.candidates(of: feed))
    }

    /// Returns the entries of a feed that have media.
    package static func candidates(of feed: FeedDocument) -> [MediaCandidate] {
        feed.entries.compactMap { entry in
            entry.media.map { media in
                MediaCandidate(
                    address: media.text,
                    title: entry.title,
                    format: "entry",
                    referrer: nil,
                    picture: entry.picture?.text
                )
            }
        }
    }

    private func document(
        _ description: SourceDocument
    ) async throws(DownloadError) -> FeedDocument {
        let head = description.head
        do throws(FeedError) {
            return try await performBlocking { () throws(FeedError) in
                try FeedParser.parse(description.bytes, charset: head.charset, at: head.address)
            }
        } catch {
            throw DownloadError(.unsupported, error.message, cause: error)
        }
    }
}

extension DownloadError {
    /// Creates the error for a feed that the user requested as if the feed were media.
    fileprivate init(
        following feed: FeedDocument,
        at address: WebAddress,
        with command: SuggestedCommand
    ) {
        let kept = feed.entries.count - feed.withoutMedia
        let name = feed.isPlaylist ? "playlist" : "feed"
        let title = feed.title.isEmpty ? "a \(name)" : "the \(name) “\(feed.title)”"
        let hasMedia = kept > 0 || feed.entries.isEmpty
        let remedy =
            hasMedia
            ? "To keep its \(feed.isPlaylist ? "first" : "newest") entries, use"
            : "Its entries lead to pages. To keep the media of those, use"
        let follow = command.follow(address.text, keepingPages: !hasMedia)
        let counts = kept == 1 ? "1 entry with media" : "\(kept) entries with media"
        self.init(
            .feed,
            "This is \(title) with \(counts). \(remedy)\(command.reminder()): \(follow)"
        )
        redactedMessage = "A feed with \(counts) was given as if it were media."
    }
}

extension ItemKind {
    /// A feed.
    ///
    /// An item never has this kind.
    package static let feed = ItemKind(rawValue: "feed")
}
