// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import TidingsHTTP

@testable import OfflineModel
@testable import OfflineSources
@testable import OfflineStore

@Suite(.timeLimit(.minutes(15)))
struct FeedUpdateTests {
    private static let now = Date(timeIntervalSince1970: 2_000)
    private let address: WebAddress
    private let feed: Feed

    init() throws {
        address = try WebAddress("https://pod.example:8443/feed?token=secret")
        feed = Feed(
            id: FeedID(rawValue: 1),
            address: address,
            title: "Pod",
            keep: 2,
            keepsPages: false,
            allowsPrivateAddresses: false,
            createdAt: Date(timeIntervalSince1970: 0),
            failures: 3,
            failure: ItemFailure(code: "unreachable", message: "No."),
            validators: FeedValidators(tag: "\"old\""),
            entryCount: 0,
            withoutMedia: 0
        )
    }

    private func update() -> FeedUpdate {
        FeedUpdate(feed, at: Self.now, FeedTiming(jitter: 0))
    }

    private func document(_ address: String) throws -> FeedDocument {
        var draft = FeedDraft()
        draft.add(try WebAddress(address), rank: 1)
        return FeedDocument(title: "New", [draft], period: .seconds(7_200), now: 0)
    }

    private func replaced(
        _ response: FeedResponse = .init(),
        options: RequestOptions = .init(),
        entry: String = "https://cdn.example/1.mp3"
    ) throws -> FeedUpdate {
        var update = update()
        update.replace(by: try document(entry), response, options: options, seen: [])
        return update
    }

    @Test func o26_aDocumentEndsTheFailures() throws {
        let update = try replaced(FeedResponse(validators: .init(tag: "\"new\"")))
        #expect(update.feed.title == "New")
        #expect(update.feed.failures == 0)
        #expect(update.feed.failure == nil)
        #expect(update.feed.validators.tag == "\"new\"")
        #expect(update.feed.nextCheck == Self.now + 7_200)
        #expect(update.entries.count == 1)
    }

    @Test func o26_anUnchangedDocumentKeepsItsValidators() {
        var update = update()
        update.keep(FeedResponse(maxAge: .seconds(10_000)), options: .init())
        #expect(update.feed.validators.tag == "\"old\"")
        #expect(update.feed.failures == 0)
        #expect(update.feed.nextCheck == Self.now + 10_000)
    }

    @Test func o26_aFeedThatIsGoneIsNotCheckedAgain() {
        var update = update()
        update.fail(FeedError(.unreachable, "No."), retryAfter: .seconds(50_000))
        #expect(update.feed.failures == 4)
        #expect(update.feed.nextCheck == Self.now + 50_000)
        update.fail(FeedError(.gone, "Gone."), retryAfter: nil)
        #expect(update.feed.nextCheck == nil)
        #expect(update.feed.failure?.code == "gone")
    }

    @Test func o14_theHeadersOfAFeedReachNoOtherOrigin() throws {
        let options = try RequestOptions(.init(headers: ["Authorization: x"], proxy: "http://p:1"))
        let other = try #require(try replaced(options: options).entries.first?.request)
        #expect(other.options.headers.isEmpty)
        #expect(other.options.proxy != nil)
        #expect(other.options.referrer == address)
        let own = try replaced(options: options, entry: "https://pod.example:8443/1.mp3")
        #expect(own.entries.first?.request?.options.headers.count == 1)
    }

    @Test func o14_aFeedWithCredentialsDoesNotMoveToAnotherOrigin() throws {
        let elsewhere = FeedResponse(movedTo: try WebAddress("https://other.example/feed"))
        let here = FeedResponse(movedTo: try WebAddress("https://pod.example:8443/new"))
        let options = try RequestOptions(.init(headers: ["Authorization: x"]))
        #expect(try replaced(elsewhere).feed.address.host == "other.example")
        #expect(try replaced(elsewhere, options: options).feed.address == address)
        #expect(try replaced(here, options: options).feed.address.path == "/new")
    }
}
