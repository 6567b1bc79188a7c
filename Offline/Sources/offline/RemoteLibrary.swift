// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineLibrary
import OfflineServer
import TidingsFiles
import TidingsHTTP

/// A library that a running server has open, used through the server's HTTP API.
struct RemoteLibrary: LibraryService {
    private static let pollInterval = Duration.milliseconds(250)
    private static let responseLimit = 64 << 20

    let isServed = true
    private let base: WebAddress
    /// The address and token of the server.
    let file: ServerFile
    private let client: HTTPClient

    init(_ file: ServerFile) throws {
        base = try WebAddress(file.address)
        self.file = file
        client = HTTPClient(.init(addressPolicy: .any, userAgent: "offline"))
    }

    /// Whether the server responds within some seconds and accepts the token.
    func isReachable() async -> Bool {
        // A stopped server must not delay a command, which can store a request without it.
        let client = HTTPClient(
            .init(addressPolicy: .any, userAgent: "offline", stallTimeout: .seconds(5))
        )
        defer { client.close() }
        do {
            let _: ItemsResponse = try await call(.get, "/api/items?count=1", by: client)
            return true
        } catch {
            return false
        }
    }

    func enqueue(_ request: DownloadRequest) async throws -> ItemRepresentation {
        try await call(.post, "/api/downloads", DownloadBody(request))
    }

    /// Hands a request to a machine of the household.
    func handOver(_ request: DownloadRequest, to machine: String) async throws -> Handover {
        let body = HandoverBody(on: machine, download: DownloadBody(request))
        return try await call(.post, "/api/machines/downloads", body)
    }

    /// Returns what a request would fetch.
    func inspect(_ request: DownloadRequest) async throws -> MediaInspection {
        // The server answers after all requests of the inspection, of which each may take its time.
        let client = HTTPClient(
            .init(addressPolicy: .any, userAgent: "offline", stallTimeout: .seconds(600))
        )
        defer { client.close() }
        return try await call(.post, "/api/inspect", DownloadBody(request), by: client)
    }

    func follow(
        _ ids: [ItemID],
        show: @escaping @Sendable (FollowedChange) -> Void
    ) async throws -> [ItemRepresentation] {
        // A paused item continues when a person or the server resumes it.
        var ends = FollowedEnds(ids) { $0 == .ready || $0 == .failed }
        while true {
            let open = ends.open
            if open.count == 1, let id = open.first {
                ends.note(try await call(.get, "/api/items/\(id)"), show)
            } else {
                for item in try await items(open) { ends.note(item, show) }
            }
            if ends.isComplete { return ends.items }
            try await ContinuousClock().sleep(for: Self.pollInterval)
        }
    }

    func items(matching words: String) async throws -> [ItemRepresentation] {
        let search = words.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        let path = "/api/items?count=\(ItemQuery.maximumCount)&q=\(search)"
        var items: [ItemRepresentation] = []
        var cursor: ItemID?
        repeat {
            let page: ItemsResponse = try await call(
                .get,
                path + (cursor.map { "&after=\($0)" } ?? "")
            )
            items += page.items
            cursor = page.next
        } while cursor != nil
        return items
    }

    /// Returns the items that are being downloaded, of which there are few.
    func activeItems() async throws -> [ItemRepresentation] {
        let states = ItemState.allCases.filter(\.isActive).map(\.rawValue).joined(separator: ",")
        let page: ItemsResponse = try await call(
            .get,
            "/api/items?count=\(ItemQuery.maximumCount)&state=\(states)"
        )
        return page.items
    }

    /// Returns what the queue of downloads waits for.
    func queueState() async throws -> QueueState {
        try await call(.get, "/api/queue")
    }

    /// Returns those of these items that exist.
    private func items(_ ids: some Collection<ItemID>) async throws -> [ItemRepresentation] {
        var items: [ItemRepresentation] = []
        var rest = Array(ids)[...]
        while !rest.isEmpty {
            let some = rest.prefix(ItemQuery.maximumCount)
            rest = rest.dropFirst(some.count)
            let list = some.map(\.description).joined(separator: ",")
            let page: ItemsResponse = try await call(.get, "/api/items?ids=\(list)")
            items += page.items
        }
        return items
    }

    func refresh(_ options: RefreshOptions) async throws -> RefreshReport {
        let body = RefreshBody(
            removeMissing: options.removeMissing,
            import: options.importFiles,
            confirmed: options.isConfirmed
        )
        return try await call(.post, "/api/refresh", body)
    }

    func verify(_ ids: [ItemID], acceptsSubtitles: Bool) async throws -> VerificationReport {
        let body = VerifyBody(ids: ids, acceptSubtitles: acceptsSubtitles)
        return try await call(.post, "/api/verify", body)
    }

    func verification(_ run: Int) async throws -> VerificationReport {
        try await call(.get, "/api/verify?run=\(run)")
    }

    func stopVerification(_ run: Int) async throws {
        let _: VerificationReport = try await call(.delete, "/api/verify?run=\(run)")
    }

    func importItems(_ file: FileDescriptor, allowsPrivate: Bool) async throws -> ImportReport {
        var content: [UInt8] = []
        var pieces = DocumentLines(file)
        while let line = try pieces.next(limit: Self.responseLimit) {
            content += line
            content.append(10)
            guard content.count <= Self.responseLimit else {
                throw RemoteError(
                    message: "The text is too large for the running server. Stop the server, and "
                        + "import it again."
                )
            }
        }
        let query = allowsPrivate ? "?allowPrivate=true" : ""
        return try await call(.post, "/api/import\(query)", bytes: content)
    }

    func details(of id: ItemID) async throws -> ItemRepresentation {
        try await call(.get, "/api/items/\(id)")
    }

    func rename(_ id: ItemID, to title: String) async throws -> ItemRepresentation {
        try await call(.post, "/api/items/\(id)/rename", ["title": title])
    }

    func pause(_ id: ItemID) async throws {
        let _: ItemRepresentation = try await call(.post, "/api/items/\(id)/pause", EmptyBody())
    }

    func stopRecording(_ id: ItemID) async throws {
        let _: ItemRepresentation = try await call(.post, "/api/items/\(id)/stop", EmptyBody())
    }

    func retry(_ id: ItemID, at address: WebAddress?) async throws {
        let body = RetryBody(address: address?.text)
        let _: ItemRepresentation = try await call(.post, "/api/items/\(id)/retry", body)
    }

    func remove(_ id: ItemID, withFile: Bool) async throws {
        let _: RemovalResponse = try await call(
            .delete,
            "/api/items/\(id)" + (withFile ? "?withFile=true" : "")
        )
    }

    /// Returns an address that admits one browser.
    func entryAddress() async throws -> String {
        let entry: EntryResponse = try await call(.post, "/api/tickets", EmptyBody())
        return entry.address
    }

    func stop() async {
        client.close()
    }

    func call<Response: Decodable>(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ body: (any Encodable)? = nil,
        bytes: [UInt8]? = nil,
        by patientClient: HTTPClient? = nil
    ) async throws -> Response {
        let client = patientClient ?? client
        var request = HTTPRequest(try base.resolving(path), method: method)
        request.headers = [HTTPHeader("Authorization", "Bearer \(file.token)")]
        if method != .get {
            request.headers.append(HTTPHeader("Content-Type", "application/json"))
        }
        if let body { request.body = Array(try JSONFormat.encode(body)) }
        if let bytes { request.body = bytes }
        let (transfer, content) = try await client.fetch(request, limit: Self.responseLimit)
        guard transfer.head.isSuccess else {
            let failure = try? JSONFormat.decode(Failure.self, from: Data(content))
            throw RemoteError(
                message: failure?.error.message
                    ?? "The running server returned status \(transfer.head.status). Restart it."
            )
        }
        // A removal with nothing to return has no content.
        let json = content.isEmpty ? Data("{}".utf8) : Data(content)
        return try JSONFormat.decode(Response.self, from: json)
    }
}

/// Thrown with the message of an error response from the running server.
struct RemoteError: Error {
    let message: String
}

private struct ItemsResponse: Decodable {
    let items: [ItemRepresentation]
    let next: ItemID?
}

private struct DownloadBody: Encodable {
    let url: String
    let quality: String?
    let audio: String?
    let subtitles: String?
    let chapters: String?
    let allowPrivate: Bool
    let again: Bool
    let live: LiveRecording?
    let headers: [String]?
    let cookies: String?
    let referrer: String?
    let proxy: String?
    let checksum: String?
    let limit: String?

    init(_ request: DownloadRequest) {
        let options = request.options.texts
        url = request.origin.text
        quality = request.choice.quality?.description
        audio = request.choice.audio?.description
        subtitles = request.choice.subtitles?.description
        chapters = request.choice.chapters?.description
        allowPrivate = request.allowsPrivateAddresses
        again = request.again
        live = request.live
        headers = options.headers
        cookies = options.cookies
        referrer = options.referrer
        proxy = options.proxy
        checksum = options.checksum
        limit = options.limit
    }
}

/// The members of a download, and the machine.
private struct HandoverBody: Encodable {
    private enum CodingKeys: CodingKey { case on }

    let on: String
    let download: DownloadBody

    func encode(to encoder: any Encoder) throws {
        try download.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(on, forKey: .on)
    }
}

private struct RefreshBody: Encodable {
    let removeMissing: Bool
    let `import`: Bool
    let confirmed: Bool
}

private struct VerifyBody: Encodable {
    let ids: [ItemID]
    let acceptSubtitles: Bool
}

private struct EmptyBody: Encodable {}

private struct RetryBody: Encodable {
    let address: String?
}

private struct EntryResponse: Decodable {
    let address: String
}

private struct RemovalResponse: Decodable {
    let removed: ItemID
}

private struct Failure: Decodable {
    let error: ItemFailure
}
