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
        isEndProven = end != .connectionClosed
    }
}

/// Fetches the descriptions of one item, with retries and with the item's access rights.
struct SourceRequests: Sendable {
    let environment: DownloadEnvironment
    let endpoint: HTTPClients.Endpoint
    let id: ItemID

    /// Returns requests that name a page as the one that led to them.
    func referred(by page: WebAddress) -> SourceRequests {
        SourceRequests(
            environment: environment,
            endpoint: endpoint.referred(by: page, to: endpoint.address),
            id: id
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
        var check = DescriptionCheck()
        return try await environment.retrying(id, at: address) {
            let receiver = DescriptionReceiver(for: source, otherwise: refusal)
            let transfer = try await endpoint.client.perform(
                endpoint.request(address),
                receiver: receiver
            )
            let document = SourceDocument(
                transfer.head,
                bytes: try receiver.finish(transfer.head),
                endedBy: transfer.bodyEnd
            )
            try check.accept(document, of: source)
            return document
        }
    }
}
