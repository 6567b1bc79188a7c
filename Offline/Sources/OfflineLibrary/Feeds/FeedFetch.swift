// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineMedia
import OfflineModel
import OfflineSources
import OfflineStore
import Tidings
import TidingsHTTP

/// Fetches and parses the document of a feed.
struct FeedFetch: Sendable {
    /// The longest time of one fetch.
    ///
    /// A slow server must not hold up the other feeds.
    static let longestTime = Duration.seconds(300)

    /// The result of a fetch.
    enum Outcome: Sendable {
        case unchanged(FeedResponse)
        case document(FeedDocument, FeedResponse)
    }

    /// A failure with the time to wait before the next request, if the server names one.
    struct Failure: Error {
        let error: FeedError
        var retryAfter: Duration?
        /// The only feed that the fetched document names, if the document is a web page.
        var feedOfPage: WebAddress?
    }

    let clients: HTTPClients
    let clock: any Clock<Duration>
    let limits = FeedLimits()

    /// Fetches a document, unless the document with these validators has not changed.
    ///
    /// - Throws: `Failure`, and `CancellationError` when the library stops.
    func run(
        _ address: WebAddress,
        _ options: RequestOptions,
        allowsPrivateAddresses: Bool,
        validators: FeedValidators = .init()
    ) async throws -> Outcome {
        let client = clients.client(allowingPrivate: allowsPrivateAddresses)
        let endpoint = HTTPClients.Endpoint(
            client: client,
            address: address,
            headers: validators.headers,
            access: RequestAccess(options: options, address: address)
        )
        let (transfer, body) = try await fetch(endpoint.request(address), with: client)
        let head = transfer.head
        let response = FeedResponse(transfer)
        if head.status == 304, !validators.headers.isEmpty { return .unchanged(response) }
        if let failure = Failure(head) { throw failure }
        do throws(FeedError) {
            let document = try await performBlocking { () throws(FeedError) in
                try FeedParser.parse(body, charset: head.charset, at: head.address, limits: limits)
            }
            return .document(document, response)
        } catch  where error.code == .notAFeed {
            throw await failure(error, of: body, head)
        } catch {
            throw Failure(error: error)
        }
    }

    /// Returns the failure for a document that is not a feed, but may be a web page that names
    /// feeds.
    private func failure(
        _ error: FeedError,
        of body: [UInt8],
        _ head: HTTPResponseHead
    ) async -> Failure {
        guard ContentSniffer.kind(of: body, contentType: head.contentType) == .html else {
            return Failure(error: error)
        }
        let feeds = await performBlocking {
            PageReader.contents(of: body, charset: head.charset, at: head.address).entryFeeds
        }
        guard !feeds.isEmpty else { return Failure(error: error) }
        guard feeds.count == 1 else {
            return Failure(error: .leading(head.address, "a web page", to: feeds))
        }
        return Failure(error: error, feedOfPage: feeds[0])
    }

    private func fetch(
        _ request: HTTPRequest,
        with client: HTTPClient
    ) async throws -> (transfer: HTTPTransfer, body: [UInt8]) {
        do {
            let result = try await withThrowingTaskGroup(
                of: (transfer: HTTPTransfer, body: [UInt8])?.self
            ) { group in
                group.addTask { try await client.fetch(request, limit: limits.bytes) }
                group.addTask {
                    try await clock.sleep(for: Self.longestTime)
                    return nil
                }
                defer { group.cancelAll() }
                return try await group.next() ?? nil
            }
            if let result { return result }
            throw Failure(
                error: FeedError(
                    .unreachable,
                    "\(request.address.host) sends the feed too slowly. Try again later."
                )
            )
        } catch let error as HTTPError {
            if error.code == .cancelled || error.code == .closed { throw CancellationError() }
            throw Failure(
                error: error.code == .tooLarge ? .tooLarge(limits) : FeedError(DownloadError(error))
            )
        }
    }
}

extension FeedFetch.Failure {
    /// Creates the failure of a response without a document, or returns nil if there is a document.
    fileprivate init?(_ head: HTTPResponseHead) {
        if head.status == 410 {
            error = FeedError(
                .gone,
                "The publisher has ended this feed (410 Gone), so it is not checked again. Its "
                    + "files stay: stop following it, or look for its new address."
            )
        } else if head.status != 200 {
            error = FeedError(DownloadError(status: head.status, head: head))
            retryAfter = head.retryAfter
        } else if let refusal = DownloadError(refusingEncodingOf: head) {
            error = FeedError(refusal)
        } else {
            return nil
        }
    }
}

extension FeedError {
    /// Creates the error for a feed that could not be fetched.
    init(_ error: DownloadError) {
        let isPrivate = error.code == .privateAddress
        self.init(isPrivate ? .privateAddress : .unreachable, error.message, cause: error)
    }
}
