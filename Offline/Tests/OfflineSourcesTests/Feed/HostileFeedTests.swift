// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import TidingsHTTP

@testable import OfflineModel
@testable import OfflineSources

@Suite(.timeLimit(.minutes(15)))
struct HostileFeedTests {
    private func parse(
        _ bytes: [UInt8],
        limits: FeedLimits = .init()
    ) throws(FeedError) -> FeedDocument {
        guard let address = try? WebAddress("https://pod.example/feed") else {
            throw FeedError(.notAFeed, "")
        }
        return try FeedParser.parse(bytes, at: address, limits: limits)
    }

    @Test(
        arguments: [
            ("", .notAFeed), ("<html><title>x</title></html>", .notAFeed), ("text", .notAFeed),
            ("<!doctype html><p>unclosed", .notAFeed), ("<svg/>", .notAFeed), ("{}", .notAFeed),
            (#"{"version":"1","items":[]}"#, .notAFeed), ("{", .notAFeed),
            ("\u{0}\u{1}", .notAFeed),
            (#"{"version":"https://jsonfeed.org/version/1","items":["#, .damaged),
            ("<rss><channel><item>", .damaged), ("<rss><channel>&nbsp;</channel></rss>", .damaged),
            ("<!DOCTYPE rss [<!ENTITY a 'b'>]><rss>&a;</rss>", .notAFeed),
            ("<?xml version='1.0'?><rss><!DOCTYPE a></rss>", .damaged),
        ] as [(String, FeedError.Code)]
    )
    func o26_otherDocumentsAreRefused(text: String, code: FeedError.Code) {
        let error = #expect(throws: FeedError.self) { try parse(Array(text.utf8)) }
        #expect(error?.code == code)
    }

    @Test func o26_everyBeginningOfAFeedIsRefused() throws {
        let text = "<rss><channel><title>T</title><item><guid>1</guid></item></channel></rss>"
        for count in 0..<text.utf8.count {
            #expect(throws: FeedError.self) { try parse(Array(text.utf8.prefix(count))) }
        }
        #expect(try parse(Array(text.utf8)).title == "T")
    }

    @Test func o26_aLargeFeedIsRead() throws {
        let notes = String(repeating: "<p>Notes.</p>", count: 40)
        var text = "<rss><channel><title>Large</title>"
        for number in 0..<2_000 {
            text += "<item><guid>\(number)</guid><description><![CDATA[\(notes)]]></description>"
            text += "<enclosure url='https://cdn.example/\(number).mp3' type='audio/mpeg'/></item>"
        }
        text += "</channel></rss>"
        #expect(text.utf8.count > 1_000_000)
        let feed = try parse(Array(text.utf8))
        #expect(feed.entries.count == 2_000)
        #expect(feed.entries.last?.identity == "guid:1999")
    }

    @Test func o26_limitsAreKept() throws {
        var limits = FeedLimits()
        limits.entries = 2
        let item = "<item><enclosure url='a.mp3'/></item>"
        let text = "<rss><channel>\(item)\(item)\(item)</channel></rss>"
        var error = #expect(throws: FeedError.self) { try parse(Array(text.utf8), limits: limits) }
        #expect(error?.code == .tooLarge)
        limits.bytes = 20
        error = #expect(throws: FeedError.self) { try parse(Array(text.utf8), limits: limits) }
        #expect(error?.code == .tooLarge)
        let deep = "<rss>" + String(repeating: "<a>", count: 100)
        error = #expect(throws: FeedError.self) { try parse(Array(deep.utf8)) }
        #expect(error?.code == .tooLarge)
    }

    @Test func o26_nestedBasesCostNoMoreThanTheirLimit() throws {
        let long = String(repeating: "x/", count: 2_000)
        let base = "<a xml:base='\(long)'>"
        let links = String(repeating: "<b xml:base='y/'/>", count: 100_000)
        let start = "<rss><channel>" + String(repeating: base, count: 40) + links
        let end = String(repeating: "</a>", count: 40) + "</channel></rss>"
        let error = #expect(throws: FeedError.self) { try parse(Array((start + end).utf8)) }
        #expect(error?.code == .tooLarge)
    }

    @Test func o26_aBaseThatGrowsTooLongIsIgnored() throws {
        let base = "<a xml:base='\(String(repeating: "x/", count: 1_500))'>"
        let text =
            "<rss><channel>\(base)\(base)<item><enclosure url='a.mp3'/></item></a></a></channel></rss>"
        let feed = try parse(Array(text.utf8))
        #expect(feed.entries.map { $0.media?.text.utf8.count } == [20 + 3_000 + 5])
    }

    @Test func o26_theReferencesOfAJSONFeedHaveALimit() throws {
        var limits = FeedLimits()
        limits.resolvedBytes = 50
        let text =
            #"{"version":"https://jsonfeed.org/version/1.1","items":[{"url":"a"},{"url":"b"}]}"#
        #expect(throws: Never.self) { try parse(Array(text.utf8), limits: limits) }
        limits.resolvedBytes = 40
        let error = #expect(throws: FeedError.self) { try parse(Array(text.utf8), limits: limits) }
        #expect(error?.code == .tooLarge)
    }

    @Test func o26_longValuesAreIgnored() throws {
        let long = String(repeating: "x", count: 5_000)
        let text = """
            <rss><channel><title>\(long)</title><ttl>99999999999999999999</ttl>
            <item><title>\(long)\u{202e}</title><guid>\(long)</guid>
            <enclosure url='b.mp3' type='audio/mpeg'/></item>
            <item><enclosure url='https://a.example/\(long)' type='audio/mpeg'/></item>
            <item><title>No address</title></item></channel></rss>
            """
        let feed = try parse(Array(text.utf8))
        #expect(feed.title.count == Title.longest)
        #expect(feed.entries.map(\.identity) == ["at:pod.example:443/b.mp3"])
        #expect(feed.entries.first?.title.count == Title.longest)
        #expect(feed.period == nil)
    }

    @Test(
        arguments: [
            ("Sun, 01 Mar 2026 10:00:00 GMT", 1_772_359_200),
            ("1 March 2026 10:00 UT", 1_772_359_200),
            ("Sun, 1 Mar 2026 05:00:00 EST", 1_772_359_200),
            ("2026-03-01T11:00:00+01:00", 1_772_359_200),
            ("2026-03-01 10:00:00", 1_772_359_200), ("Mon, 29 Feb 2024 00:00:00 Z", 1_709_164_800),
            ("", nil), ("soon", nil), ("2026-13-01", nil), ("Sun, 01 Mar 0026 10:00:00 GMT", nil),
            ("2026-03-01T99:00:00Z", nil), ("99 Mar 2026", nil),
        ] as [(String, Double?)]
    )
    func datesAreReadAsTheyAreWritten(text: String, seconds: Double?) {
        #expect(FeedDate.seconds(text) == seconds)
    }
}
