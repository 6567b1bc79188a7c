// SPDX-License-Identifier: Apache-2.0
import TidingsHTTP

/// A complete response that a source parses.
struct SourceDocument: Sendable {
    /// The head, with the address after redirects, against which references resolve.
    let head: HTTPResponseHead
    let bytes: [UInt8]
    /// Whether the server announced the length or sent the end; otherwise bytes may be missing.
    let isEndProven: Bool

    /// Creates a document from a finished response.
    init(_ head: HTTPResponseHead, bytes: [UInt8], endedBy end: HTTPTransfer.BodyEnd) {
        self.head = head
        self.bytes = bytes
        // Most servers send descriptions over HTTP/2 without their length, and very few give up a
        // stream without an error; a second request for each of them would delay recordings.
        isEndProven = end != .connectionClosed
    }
}

/// Fetches descriptions for one item or one inspection, with retries and with its access rights.
struct SourceRequests: Sendable {
    let endpoint: HTTPClients.Endpoint
    /// The choice of what to keep.
    let choice: MediaChoice
    /// The folder for the files of yt-dlp; it and the folder around it exist only during its run.
    let folder: String
    let retries: RequestRetries

    /// Returns requests that name a page as the one that led to them.
    func referred(by page: WebAddress) -> SourceRequests {
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
    ///   - source: The source that must recognize it.
    ///   - refusal: The error for any other content, of which only the beginning is read.
    /// - Returns: The complete description.
    /// - Throws: `DownloadError`, also for any status but 200 and for a description beyond the
    ///   source's limit.
    func fetch(
        _ address: WebAddress,
        for source: any ReadableSource,
        otherwise refusal: DownloadError
    ) async throws(DownloadError) -> SourceDocument {
        try await fetch(address) { response throws(DownloadError) in
            // The caller knows better than the source what the response was expected to be.
            switch try? source.inspect(response) {
            case .whole?, nil: throw refusal
            case let inspection?: return (source.kind, inspection)
            }
        }.document
    }

    /// A response that a source has recognized.
    struct Recognized: Sendable {
        let kind: ItemKind
        let inspection: Inspection
        /// The complete description, or the beginning of a file.
        let document: SourceDocument
    }

    /// Returns the response for the endpoint's address; of a file only its beginning is read.
    ///
    /// - Throws: `DownloadError`, also for media that no source of `sources` can keep.
    func first(of sources: MediaSources) async throws(DownloadError) -> Recognized {
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
