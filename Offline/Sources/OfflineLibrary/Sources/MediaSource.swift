// SPDX-License-Identifier: Apache-2.0
import TidingsHTTP

/// One way in which a server offers media, such as a file or an HLS stream.
///
/// Only a source knows its format: the queue, the transfers, the checks, the muxer and the
/// publication work on its inspection and its plan.
protocol MediaSource: Sendable {
    /// The kind of its items in the registry and the API.
    var kind: ItemKind { get }

    /// Returns what is at an address; nil if this source does not recognize the response.
    ///
    /// Called on the client's thread while the body arrives, so it must not block.
    ///
    /// - Throws: `DownloadError` for media of this source that cannot be kept.
    func inspect(_ response: FirstResponse) throws(DownloadError) -> Inspection?
}

/// A source whose first response is read instead of being kept.
protocol ReadableSource: MediaSource {
    /// The name of the format with its article, for messages.
    var name: String { get }
    /// The maximum size of a description in bytes.
    var descriptionLimit: Int { get }

    /// Returns whether the bytes alone show that no byte after them is missing.
    func showsEnd(of description: SourceDocument) -> Bool
}

/// A source whose first response describes the media instead of being it.
protocol DescribedSource: ReadableSource {
    /// Returns the qualities and languages from which a person can choose.
    ///
    /// - Parameters:
    ///   - description: The complete response for the item's address.
    ///   - choice: The present choice.
    /// - Returns: The offer, empty if the description has only one form of the media.
    /// - Throws: An error that `DownloadError` accepts.
    func offer(_ description: SourceDocument, _ choice: MediaChoice) throws -> MediaOffer

    /// Returns the parts of an item.
    ///
    /// - Parameters:
    ///   - description: The complete response for the item's address.
    ///   - requests: Has the item's choice, and fetches further descriptions.
    /// - Returns: The plan, whose identities are the same each time the same media is described.
    /// - Throws: An error that `DownloadError` accepts, also for media that cannot be kept.
    func plan(
        _ description: SourceDocument,
        with requests: SourceRequests
    ) async throws -> MediaPlan
}

/// A source whose first response names the address of the media.
protocol ReferringSource: ReadableSource {
    /// Returns the addresses of the media, of which a download takes the only one.
    ///
    /// They are asked for again in each run of the download, because such addresses expire.
    ///
    /// - Parameters:
    ///   - description: The complete response for the item's address.
    ///   - requests: Has the item's choice, and fetches further descriptions.
    /// - Returns: At least one reference, whose address may be fetched only with the item's access
    ///   rights.
    /// - Throws: `DownloadError` if there are no media.
    func references(
        in description: SourceDocument,
        with requests: SourceRequests
    ) async throws(DownloadError) -> [MediaReference]
}

/// The address of media that another address names.
struct MediaReference: Hashable, Sendable {
    /// The address of the media; with a plan, that of its first part.
    var address: WebAddress
    /// The page that shows them.
    var page: WebAddress
    /// The title; nil if the page states none.
    var title: String?
    /// The omissions, in sentences for the user.
    var notes: [String] = []
    /// Whether the page states the qualities, of which this is the chosen one.
    var hasChosenQuality = false
    /// The parts, if the media are in several files; nil if the address leads to all of them.
    var plan: MediaPlan?
    /// The chapters that the page states.
    var chapters: [Chapter] = []
    /// The subtitles that the page names, also those that are not kept.
    var subtitles: [SubtitleReference] = []
    /// The address of the picture that the page names for it.
    var picture: WebAddress?
    /// The title of the page itself; nil if it states none.
    var pageTitle: String?
    /// The statements of the page about the media, from which a person can choose.
    var candidate: MediaCandidate?
    /// The forms that the site offers; nil if the media themselves state them.
    var offer: MediaOffer?
}

/// The beginning of the response for an item's address.
struct FirstResponse: Sendable {
    /// The number of bytes that suffice to recognize the content of a body.
    static let prefixLength = 1_024

    /// The head, with the address after redirects.
    let head: HTTPResponseHead
    /// The first bytes of the body: at least `prefixLength`, or all of a shorter body.
    let prefix: [UInt8]
    /// The kind of content that the bytes and the media type suggest.
    let content: ContentKind

    /// Detects the kind of content.
    init(_ head: HTTPResponseHead, prefix: [UInt8]) {
        self.head = head
        self.prefix = prefix
        content = ContentSniffer.kind(of: prefix, contentType: head.contentType)
    }
}

/// What a source found at an address.
enum Inspection: Sendable {
    /// The body is the media itself, so the response serves as its download.
    case whole(WholePart)
    /// The body describes the parts; the source plans them after its end.
    case description(any DescribedSource)
    /// The body names the address of the media, which the source returns after its end.
    case elsewhere(any ReferringSource)
}

/// The plan of media that is one body: a single part that is published as it arrives.
///
/// It resumes by its strong validator instead of being fetched again.
struct WholePart: Hashable, Sendable {
    /// The media type for the item.
    let mediaType: String?
    /// The size; nil if the server does not announce it.
    let totalBytes: Int64?
}
