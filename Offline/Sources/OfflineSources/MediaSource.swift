// SPDX-License-Identifier: Apache-2.0
import OfflineMedia
package import OfflineModel
package import TidingsHTTP

/// One way in which a server offers media, such as a file or an HLS stream.
///
/// Only a source depends on the format. The queue, the transfers, the checks, the muxer and the
/// publication work on the inspection and the plan that the source returns.
package protocol MediaSource: Sendable {
    /// The kind of the source's items in the registry and the API.
    var kind: ItemKind { get }

    /// Returns the inspection of a response, or nil if this source does not recognize the response.
    ///
    /// The client calls this method on the client's thread while the body arrives, so the method
    /// must not block.
    ///
    /// - Throws: `DownloadError` for media of this source that cannot be kept.
    func inspect(_ response: FirstResponse) throws(DownloadError) -> Inspection?
}

/// A source whose first response is read instead of being kept.
package protocol ReadableSource: MediaSource {
    /// The name of the format with its article, for messages.
    var name: String { get }
    /// The maximum size of a description in bytes.
    var descriptionLimit: Int { get }

    /// Returns whether the bytes alone show that no further byte is missing.
    func showsEnd(of description: SourceDocument) -> Bool
}

/// A source whose first response describes the media instead of being the media.
package protocol DescribedSource: ReadableSource {
    /// Returns the qualities and languages that the user can choose from.
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
    ///   - requests: The requests, which have the item's choice and fetch further descriptions.
    /// - Returns: The plan. The identities of the parts are the same each time the same media is
    ///   described.
    /// - Throws: An error that `DownloadError` accepts, also for media that cannot be kept.
    func plan(
        _ description: SourceDocument,
        with requests: SourceRequests
    ) async throws -> MediaPlan
}

/// A source whose first response names the address of the media.
package protocol ReferringSource: ReadableSource {
    /// Returns the addresses of the media. A download requires that there is only one.
    ///
    /// Each run of the download calls this method again, because such addresses expire.
    ///
    /// - Parameters:
    ///   - description: The complete response for the item's address.
    ///   - requests: The requests, which have the item's choice and fetch further descriptions.
    /// - Returns: At least one reference, whose address may be fetched only with the item's access
    ///   rights.
    /// - Throws: `DownloadError` if the source finds no media.
    func references(
        in description: SourceDocument,
        with requests: SourceRequests
    ) async throws(DownloadError) -> [MediaReference]
}

/// The address of media that another address names.
package struct MediaReference: Hashable, Sendable {
    /// The address of the media, or of the first part if there is a plan.
    package var address: WebAddress
    /// The page that shows the media.
    package var page: WebAddress
    /// The title, or nil if the page states none.
    package var title: String?
    /// The omissions, in sentences for the user.
    package var notes: [String] = []
    /// Whether the page states several qualities and this reference has the chosen quality.
    package var hasChosenQuality = false
    /// The parts of media in several files, or nil if the address leads to all of the media.
    package var plan: MediaPlan?
    /// The chapters that the page states.
    package var chapters: [Chapter] = []
    /// The subtitles that the page names, including subtitles that are not kept.
    package var subtitles: [SubtitleReference] = []
    /// The address of the picture that the page names for the media.
    package var picture: WebAddress?
    /// The title of the page itself, or nil if the page states none.
    package var pageTitle: String?
    /// The statements of the page about the media, which help the user to choose.
    package var candidate: MediaCandidate?
    /// The forms that the site offers, or nil if the media themselves state the forms.
    package var offer: MediaOffer?
}

/// The beginning of the response for an item's address.
package struct FirstResponse: Sendable {
    /// The number of bytes that suffice to recognize the content of a body.
    package static let prefixLength = 1_024

    /// The head, with the address after redirects.
    let head: HTTPResponseHead
    /// The first bytes of the body: at least `prefixLength`, or all of a shorter body.
    let prefix: [UInt8]
    /// The kind of content that the bytes and the media type suggest.
    let content: ContentKind

    /// Detects the kind of content.
    package init(_ head: HTTPResponseHead, prefix: [UInt8]) {
        self.head = head
        self.prefix = prefix
        content = ContentSniffer.kind(of: prefix, contentType: head.contentType)
    }
}

/// The content that a source found at an address.
package enum Inspection: Sendable {
    /// The body is the media itself, so the response serves as its download.
    case whole(WholePart)
    /// The body describes the parts. The source plans the parts after the end of the body.
    case description(any DescribedSource)
    /// The body names the address of the media. The source returns the address after the end of the
    /// body.
    case elsewhere(any ReferringSource)
}

/// The plan of media in one body: a single part that is published as the bytes arrive.
///
/// An interrupted download resumes with the strong validator instead of fetching the body again.
package struct WholePart: Hashable, Sendable {
    /// The media type for the item.
    package let mediaType: String?
    /// The size, or nil if the server does not announce the size.
    package let totalBytes: Int64?
}
