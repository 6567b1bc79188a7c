// SPDX-License-Identifier: Apache-2.0
import OfflineLibrary
import Tidings
import TidingsHTTP

extension Router {
    func feeds() throws -> ServerResponse {
        .json(FeedList(feeds: try library.feeds.list()))
    }

    /// Follows a feed; returns it after its newest entries are queued.
    func follow(_ request: ServerRequest) async throws -> ServerResponse {
        let wanted = try JSONCoding.decode(FollowJSON.self, from: request.body)
        let options = try JSONCoding.decode(RequestOptions.Texts.self, from: request.body)
        let feed = try await library.feeds.follow(
            FeedRequest(
                try WebAddress(wanted.address),
                keep: wanted.keep ?? FeedRequest.standardKeep,
                keepsPages: wanted.pages ?? false,
                allowsPrivateAddresses: wanted.allowPrivate ?? false,
                options: try RequestOptions(options)
            )
        )
        return .json(try library.feeds.representation(of: feed), status: 201)
    }

    /// Checks a feed now; nil for any other action.
    func changeFeed(_ text: Substring, by action: Substring) async throws -> ServerResponse? {
        guard action == "check" else { return nil }
        let feed = try await library.feeds.check(try feedIdentifier(text))
        return .json(try library.feeds.representation(of: feed))
    }

    /// Stops following a feed; its items and files stay.
    func unfollow(_ text: Substring) throws -> ServerResponse {
        let id = try feedIdentifier(text)
        try library.feeds.unfollow(id)
        return .json(UnfollowedJSON(unfollowed: id))
    }

    private func feedIdentifier(_ text: Substring) throws(FeedError) -> FeedID {
        guard let id = FeedID(text) else {
            throw FeedError(
                .notFollowed,
                "“\(text.prefix(20))” is not the number of a feed. Use a number from the list."
            )
        }
        return id
    }

    static func status(of code: FeedError.Code) -> Int {
        switch code {
        case .notFollowed: 404
        case .notAFeed, .damaged, .tooLarge, .privateAddress, .invalidKeep: 400
        case .gone, .unreachable: 502
        case .unavailable: 503
        }
    }
}

/// The request of `POST /api/feeds`, beside the options of its requests.
struct FollowJSON: Codable, Sendable {
    var address: String
    var keep: Int?
    var pages: Bool?
    var allowPrivate: Bool?
}

/// The response of `DELETE /api/feeds/ID`.
struct UnfollowedJSON: Codable, Sendable {
    var unfollowed: FeedID
}
