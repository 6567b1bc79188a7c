// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineTestFixtures
import Testing
import TidingsHTTP
import TidingsLock
import TidingsSQLite

@testable import OfflineModel
@testable import OfflineStore

@Suite(.timeLimit(.minutes(15)))
struct TitleSourceTests {
    private let registry: Registry
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        registry = try Registry(path: folder.path + "/registry.sqlite")
    }

    private func insert(title: String?) throws -> ItemID {
        var request = DownloadRequest(.address(try WebAddress("http://example.org/a.mp4")))
        request.title = title
        return try registry.insert(request, title: title ?? "a", at: Date()).id
    }

    private func change(_ id: ItemID, _ title: String, _ source: TitleSource) throws -> String? {
        try registry.update(id, nil, with: [.title(title, from: source)])?.title
    }

    @Test func o21_theTitleIsThatOfTheFirstSource() throws {
        let id = try insert(title: nil)
        #expect(try change(id, "server", .server) == "server")
        #expect(try change(id, "tags", .tags) == "tags")
        #expect(try change(id, "server", .server) == "tags")
        #expect(try change(id, "page", .page) == "page")
        #expect(try change(id, "tags", .tags) == "page")
        #expect(try change(id, "page 2", .page) == "page 2")
        #expect(try change(id, "person", .person) == "person")
        #expect(try change(id, "page", .page) == "person")
        #expect(try change(id, "person 2", .person) == "person 2")
    }

    @Test func o21_theTitleOfTheRequestStays() throws {
        let id = try insert(title: "a")
        #expect(try change(id, "page", .page) == "a")
    }

    @Test func o21_theTitleOfAFeedsEntryStays() throws {
        let request = DownloadRequest(.address(try WebAddress("http://example.org/a.mp4")))
        let id = try registry.insert(request, title: "Entry", at: Date()).id
        #expect(try change(id, "tags", .tags) == "Entry")
    }

    @Test func o28_theTitleOfAnEarlierVersionGivesWayIfItIsThatOfTheAddress() throws {
        let (unnamed, named) = (try insert(title: nil), try insert(title: "b"))
        try registry.connection.withLock { connection throws(SQLiteError) in
            try connection.execute("UPDATE items SET title_source = NULL")
        }
        #expect(try change(unnamed, "tags", .tags) == "tags")
        #expect(try change(named, "tags", .tags) == "b")
    }

    @Test func o20_theNameAndThePurposeOfATrackAreStored() throws {
        let id = try insert(title: nil)
        let tracks = [
            TrackDescription(content: .sound, name: "Audio", purpose: .describesVideo),
            TrackDescription(content: .subtitles, name: "“SDH”", purpose: .transcribesDialog),
            TrackDescription(content: .sound, purpose: .commentary),
        ]
        try registry.downloads.setParts([], tracks: tracks, of: id)
        #expect(try registry.downloads.tracks(of: id) == tracks)
    }
}
