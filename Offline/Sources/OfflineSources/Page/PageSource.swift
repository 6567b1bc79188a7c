// SPDX-License-Identifier: Apache-2.0
import OfflineMedia
package import OfflineModel
import TidingsHTTP

/// A web page that shows one film or recording, which has a separate address.
///
/// The source reads the page directly. If the source finds nothing in the page, yt-dlp takes over.
struct PageSource: ReferringSource {
    /// The maximum number of embedded players of a page to read.
    private static let playerLimit = 4

    let kind = ItemKind.page
    let name = "a web page"
    let descriptionLimit = 16 << 20
    /// The folders to search for yt-dlp, or nil for the environment's `PATH`.
    var searchPath: String?

    func inspect(_ response: FirstResponse) -> Inspection? {
        if response.content == .html { return .elsewhere(self) }
        // A page in UTF-16 or with control characters does not look like text.
        let types = ["text/html", "application/xhtml+xml"]
        let isPage = types.contains(response.head.contentType ?? "")
        return response.content.isUnspecific && isPage ? .elsewhere(self) : nil
    }

    /// Returns true, because a page without the last lines lacks at most candidates, but never
    /// bytes of media.
    func showsEnd(of description: SourceDocument) -> Bool { true }

    func references(
        in description: SourceDocument,
        with requests: SourceRequests
    ) async throws(DownloadError) -> [MediaReference] {
        let page = await contents(of: description)
        var offers = page.choices.map { Offer(candidate: $0, page: description.head.address) }
        if offers.isEmpty {
            offers = try await self.offers(ofPlayersIn: page, description, requests)
        }
        guard !offers.isEmpty else {
            return try await resolve(page, at: description.head.address, requests)
        }
        let isAlone = offers.count == 1
        var references: [MediaReference] = []
        for offer in offers {
            let (media, notes, isChosen) = offer.candidate.form(for: requests.choice.quality)
            var reference = MediaReference(address: media.address, page: offer.page)
            reference.title = isAlone ? page.title ?? offer.candidate.title : offer.candidate.title
            reference.notes = notes
            if isAlone { reference.add(offer.candidate, media, choice: requests.choice) }
            reference.hasChosenQuality = isChosen
            reference.pageTitle = page.title
            reference.picture = offer.candidate.picture ?? (isAlone ? page.picture : nil)
            if isAlone { reference.chapters = try await chapters(of: offer, with: requests) }
            reference.candidate = MediaCandidate(
                offer.candidate,
                media,
                titled: reference.title,
                picture: reference.picture,
                page: offer.page
            )
            references.append(reference)
        }
        return references
    }

    /// Returns the chapters that a page states in a file.
    private func chapters(
        of offer: Offer,
        with requests: SourceRequests
    ) async throws(DownloadError) -> [Chapter] {
        let limit = SubtitleLimits().textBytes
        let marks = offer.candidate.marks
        guard let address = offer.candidate.chapters,
            let bytes = try await requests.referred(by: offer.page)
                .attachment(at: address, limit: limit)
        else { return marks }
        let found = await performBlocking {
            (try? WebVTTDocument(bytes))?.chapters ?? ScriptReader.chapters(bytes)
        }
        return found.isEmpty ? marks : found
    }

    /// Returns the media that yt-dlp finds.
    private func resolve(
        _ page: PageContents,
        at address: WebAddress,
        _ requests: SourceRequests
    ) async throws(DownloadError) -> [MediaReference] {
        let resolver = SiteResolver(in: searchPath)
        let refusal = DownloadError(
            withoutMedia: page,
            at: address,
            hint: resolver == nil
                ? " Install yt-dlp (apt-get install yt-dlp), and offline can try many more sites."
                : ""
        )
        guard let resolver else { throw refusal }
        guard requests.endpoint.access?.options.proxy == nil else {
            throw DownloadError(
                .refused,
                "\(address.host) needs yt-dlp, which cannot use the proxy of an item yet. Paste "
                    + "the address of the media itself, or add the page without --proxy."
            )
        }
        return try await resolver.references(titled: page.title, otherwise: refusal, with: requests)
    }

    private struct Offer {
        let candidate: PageCandidate
        /// The page that shows the candidate.
        ///
        /// This page may be a player inside the item's page.
        let page: WebAddress
    }

    /// Returns the media of the players inside a page.
    private func offers(
        ofPlayersIn page: PageContents,
        _ description: SourceDocument,
        _ requests: SourceRequests
    ) async throws(DownloadError) -> [Offer] {
        let requests = requests.referred(by: description.head.address)
        let refusal = DownloadError(.unsupported, "The player of the page is no web page.")
        var offers: [Offer] = []
        for player in page.players.prefix(Self.playerLimit) {
            let document: SourceDocument
            do throws(DownloadError) {
                document = try await requests.fetch(player, for: self, otherwise: refusal)
            } catch {
                if error.code == .cancelled || error.code == .offline { throw error }
                continue
            }
            for candidate in await contents(of: document).choices
            where !offers.contains(where: { $0.candidate.media == candidate.media }) {
                offers.append(Offer(candidate: candidate, page: document.head.address))
            }
        }
        return offers
    }

    private func contents(of document: SourceDocument) async -> PageContents {
        await performBlocking {
            PageReader.contents(
                of: document.bytes,
                charset: document.head.charset,
                at: document.head.address
            )
        }
    }
}

extension MediaReference {
    /// Adds the subtitles of a candidate, and the notes about subtitles and transcripts that are
    /// not kept.
    fileprivate mutating func add(
        _ candidate: PageCandidate,
        _ media: PageMedia,
        choice: MediaChoice
    ) {
        let offered = candidate.subtitles.map { subtitle in
            SubtitleReference(
                address: subtitle.address,
                language: subtitle.language,
                name: subtitle.name
            )
        }
        let isStream = media.format == .hls || media.format == .dash
        let (files, left) = SubtitleReference.chosen(offered, choice, isStream: isStream)
        subtitles = files
        notes += left
        if candidate.hasTranscript { notes.append("The transcript of the page was left out.") }
    }
}

extension ItemKind {
    /// A web page that leads to media.
    ///
    /// An item never keeps this kind.
    package static let page = ItemKind(rawValue: "page")
}
