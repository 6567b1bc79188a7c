// SPDX-License-Identifier: Apache-2.0
import OfflineLibrary
import TidingsHTTP

/// The feeds of a running server.
extension RemoteLibrary: FeedService {
    func feeds() async throws -> [FeedRepresentation] {
        let list: FeedList = try await call(.get, "/api/feeds")
        return list.feeds
    }

    func follow(_ request: FeedRequest) async throws -> FeedRepresentation {
        let options = request.options.texts
        let body = FollowBody(
            address: request.address.text,
            keep: request.keep,
            pages: request.keepsPages,
            allowPrivate: request.allowsPrivateAddresses,
            headers: options.headers,
            cookies: options.cookies,
            referrer: options.referrer,
            proxy: options.proxy,
            limit: options.limit
        )
        return try await call(.post, "/api/feeds", body)
    }

    func check(_ id: FeedID) async throws -> FeedRepresentation {
        try await call(.post, "/api/feeds/\(id)/check", [String: String]())
    }

    func unfollow(_ id: FeedID) async throws {
        let _: UnfollowResponse = try await call(.delete, "/api/feeds/\(id)")
    }

    func keep(_ id: ItemID) async throws {
        let _: ItemRepresentation = try await call(
            .post,
            "/api/items/\(id)/keep",
            [String: String]()
        )
    }
}

private struct FollowBody: Encodable {
    let address: String
    let keep: Int
    let pages: Bool
    let allowPrivate: Bool
    let headers: [String]?
    let cookies: String?
    let referrer: String?
    let proxy: String?
    let limit: String?
}

private struct UnfollowResponse: Decodable {
    let unfollowed: FeedID
}
