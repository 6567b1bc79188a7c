// SPDX-License-Identifier: Apache-2.0
package import OfflineLibrary
package import OfflineModel
package import OfflineStore
import TidingsHTTP

/// The operations on followed feeds.
package struct FeedOperations: Sendable {
    /// Returns the followed feeds.
    package let list = get("/feeds") { (library: Library, _: NoContent) in
        FeedList(feeds: try library.feeds.list())
    }

    /// Follows a feed and queues the newest entries.
    package let follow = post("/feeds", 502, 503, status: 201) {
        (library: Library, request: FeedRequest) in
        try library.feeds.representation(of: try await library.feeds.follow(request))
    }

    /// Checks a feed now.
    package let check = post("/feeds/{id}/check", 404, 503) { (library: Library, id: FeedID) in
        try library.feeds.representation(of: try await library.feeds.check(id))
    }

    /// Stops following a feed and keeps the items.
    package let unfollow = delete("/feeds/{id}", 404) { (library: Library, id: FeedID) in
        try library.feeds.unfollow(id)
        return UnfollowedJSON(unfollowed: id)
    }
}

extension FeedRequest: OperationInput {
    /// The members of the body, without the options for the feed's own requests.
    private struct Body: Codable {
        var address: String
        var keep: Int?
        var pages: Bool?
        var allowPrivate: Bool?
    }

    /// The object with the members of the feed and of the request options.
    package static var body: (any Decodable.Type)? { Merged<Body, RequestOptions.Texts>.self }

    /// Decodes the body.
    package init(_ parts: RequestParts) throws {
        let body = try Merged<Body, RequestOptions.Texts>(parts)
        try self.init(
            try WebAddress(body.first.address),
            keep: body.first.keep ?? FeedRequest.standardKeep,
            keepsPages: body.first.pages ?? false,
            allowsPrivateAddresses: body.first.allowPrivate ?? false,
            options: try RequestOptions(body.second)
        )
    }

    /// Encodes the body.
    package func parts() throws -> RequestParts {
        let body = Body(
            address: address.text,
            keep: keep,
            pages: keepsPages,
            allowPrivate: allowsPrivateAddresses
        )
        return try Merged(body, options.texts).parts()
    }
}

/// The response of `DELETE /api/feeds/ID`.
package struct UnfollowedJSON: Codable, Sendable {
    let unfollowed: FeedID
}
