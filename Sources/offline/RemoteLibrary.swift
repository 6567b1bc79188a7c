// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineLibrary
import TidingsHTTP

/// A library that a running server works on, reached over its HTTP API.
struct RemoteLibrary: LibraryService {
    private static let pause = Duration.milliseconds(250)
    private static let answerLimit = 64 << 20

    let isServed = true
    private let base: WebAddress
    private let token: String
    private let client: HTTPClient

    init(_ file: ServerFile) throws {
        base = try WebAddress(file.address)
        token = file.token
        client = HTTPClient(.init(addressPolicy: .any, userAgent: "offline"))
    }

    /// Whether the server is really there and knows the token.
    func answers() async -> Bool {
        do {
            let _: ItemsAnswer = try await call(.get, "/api/items")
            return true
        } catch {
            return false
        }
    }

    func enqueue(_ request: DownloadRequest) async throws -> ItemRepresentation {
        let body = Enqueue(
            url: request.source.text,
            rendition: request.rendition.description,
            allowPrivate: request.allowsPrivateAddresses,
            again: request.again
        )
        return try await call(.post, "/api/downloads", body)
    }

    func follow(
        _ id: ItemID,
        show: @escaping @Sendable (ItemRepresentation) -> Void
    ) async throws -> ItemRepresentation {
        while true {
            let item: ItemRepresentation = try await call(.get, "/api/items/\(id)")
            if item.state == .ready || item.state == .failed { return item }
            show(item)
            try await ContinuousClock().sleep(for: Self.pause)
        }
    }

    func items() async throws -> [ItemRepresentation] {
        let list: ItemsAnswer = try await call(.get, "/api/items")
        return list.items
    }

    func refresh(_ options: RefreshOptions) async throws -> RefreshReport {
        let body = RefreshBody(
            removeMissing: options.removeMissing,
            import: options.importFiles,
            confirmed: options.isConfirmed
        )
        return try await call(.post, "/api/refresh", body)
    }

    func remove(_ id: ItemID, withFile: Bool) async throws {
        let _: Removed = try await call(
            .delete,
            "/api/items/\(id)" + (withFile ? "?withFile=true" : "")
        )
    }

    /// Returns an address that lets one browser in.
    func entryAddress() async throws -> String {
        let entry: Entry = try await call(.post, "/api/tickets", Nothing())
        return entry.address
    }

    func stop() async {
        client.close()
    }

    func call<Answer: Decodable>(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ body: (any Encodable)? = nil
    ) async throws -> Answer {
        var request = HTTPRequest(try base.resolving(path), method: method)
        request.headers = [HTTPHeader("Authorization", "Bearer \(token)")]
        if method != .get {
            request.headers.append(HTTPHeader("Content-Type", "application/json"))
        }
        if let body { request.body = Array(try JSONFormat.encode(body)) }
        let (transfer, answer) = try await client.fetch(request, limit: Self.answerLimit)
        guard transfer.head.isSuccess else {
            let failure = try? JSONFormat.decode(Failure.self, from: Data(answer))
            throw RemoteError(
                message: failure?.error.message
                    ?? "The running server answered \(transfer.head.status). Restart it."
            )
        }
        return try JSONFormat.decode(Answer.self, from: Data(answer))
    }
}

/// What the running server refused, in its own words.
struct RemoteError: Error {
    let message: String
}

private struct ItemsAnswer: Decodable {
    let items: [ItemRepresentation]
}

private struct Enqueue: Encodable {
    let url: String
    let rendition: String
    let allowPrivate: Bool
    let again: Bool
}

private struct RefreshBody: Encodable {
    let removeMissing: Bool
    let `import`: Bool
    let confirmed: Bool
}

private struct Nothing: Encodable {}

private struct Entry: Decodable {
    let address: String
}

private struct Removed: Decodable {
    let removed: ItemID
}

private struct Failure: Decodable {
    let error: ItemFailure
}
