// SPDX-License-Identifier: Apache-2.0
package import OfflineModel
package import TidingsHTTP

/// A complete response that a source parses.
package struct SourceDocument: Sendable {
    /// The head, with the address after redirects.
    ///
    /// References resolve against this address.
    package let head: HTTPResponseHead
    let bytes: [UInt8]
    /// Whether the server announced the length or sent the end.
    ///
    /// Otherwise bytes may be missing.
    let isEndProven: Bool

    /// Creates a document from a finished response.
    package init(_ head: HTTPResponseHead, bytes: [UInt8], endedBy end: HTTPTransfer.BodyEnd) {
        self.head = head
        self.bytes = bytes
        // Most servers send descriptions over HTTP/2 without a length, and very few give up a
        // stream without an error. A second request for each description would delay recordings.
        isEndProven = end != .connectionClosed
    }
}

/// Fetches descriptions for one item or one inspection, with retries and access rights.
package struct SourceRequests: Sendable {
    /// The client, the address and the headers.
    let endpoint: HTTPClients.Endpoint
    /// The user's choice of the media to keep.
    let choice: MediaChoice
    /// The folder for the files of yt-dlp.
    ///
    /// This folder and its parent exist only while yt-dlp runs.
    let folder: String
    /// The retries after transient errors.
    let retries: RequestRetries

    /// Creates requests.
    package init(
        endpoint: HTTPClients.Endpoint,
        choice: MediaChoice,
        folder: String,
        retries: RequestRetries
    ) {
        self.endpoint = endpoint
        self.choice = choice
        self.folder = folder
        self.retries = retries
    }

    /// Returns requests that name a page as the referrer.
    package func referred(by page: WebAddress) -> SourceRequests {
        SourceRequests(
            endpoint: endpoint.referred(by: page, to: endpoint.address),
            choice: choice,
            folder: folder,
            retries: retries
        )
    }

    /// Returns the description at an address.
    ///
    /// - Parameters:
    ///   - address: The address of the description.
    ///   - source: The source that must recognize the description.
    ///   - refusal: The error for any other content. Only the beginning of such content is read.
    /// - Returns: The complete description.
    /// - Throws: `DownloadError`, also for any status except 200 and for a description that exceeds
    ///   the source's limit.
    package func fetch(
        _ address: WebAddress,
        for source: any ReadableSource,
        otherwise refusal: DownloadError
    ) async throws(DownloadError) -> SourceDocument {
        try await fetch(address) { response throws(DownloadError) in
            // Unlike the source, the caller can name the response that was expected.
            switch try? source.inspect(response) {
            case .whole?, nil: throw refusal
            case let inspection?: return (source.kind, inspection)
            }
        }.document
    }

    /// A response that a source has recognized.
    package struct Recognized: Sendable {
        /// The kind of the source that has recognized the response.
        package let kind: ItemKind
        /// The inspection by that source.
        package let inspection: Inspection
        /// The complete description, or the beginning of a file.
        package let document: SourceDocument
    }

    /// Returns the response for the endpoint's address.
    ///
    /// The document of a file has only the beginning.
    ///
    /// - Throws: `DownloadError`, also for media that no source of `sources` can keep.
    package func first(of sources: MediaSources) async throws(DownloadError) -> Recognized {
        try await fetch(endpoint.address, recognize: sources.inspect)
    }

    private func fetch(
        _ address: WebAddress,
        recognize: @escaping DescriptionReceiver.Recognition
    ) async throws(DownloadError) -> Recognized {
        var check = DescriptionCheck()
        return try await retries.run(at: address) {
            let receiver = DescriptionReceiver(recognize)
            let transfer = try await endpoint.client.perform(
                endpoint.request(address),
                receiver: receiver
            )
            let (bytes, kind, inspection) = try receiver.finish(transfer.head)
            let document = SourceDocument(transfer.head, bytes: bytes, endedBy: transfer.bodyEnd)
            switch inspection {
            case .description(let source): try check.accept(document, of: source)
            case .elsewhere(let source): try check.accept(document, of: source)
            case .whole where bytes.isEmpty: throw DownloadError.emptyResponse
            case .whole: break
            }
            return Recognized(kind: kind, inspection: inspection, document: document)
        }
    }
}
