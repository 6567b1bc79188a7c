// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineTestFixtures
import Testing
import TidingsSQLite
import TidingsTesting

@testable import OfflineDownloads
@testable import OfflineLibrary
@testable import OfflineMedia
@testable import OfflineModel
@testable import OfflineStore

@Suite(.timeLimit(.minutes(15)))
struct LibraryPlaybackTests {
    private let filled: FilledLibrary
    private var library: Library { filled.library }

    init() throws {
        filled = try FilledLibrary()
    }

    private func play(_ item: MediaItem, to seconds: Double, at date: Double) throws {
        let date = Date(timeIntervalSince1970: date)
        try library.play(item.id, PlaybackChange(seconds: seconds), at: date)
    }

    @Test func o31_itemsToContinueComeInTheOrderOfTheirPlaying() throws {
        let items = try ["a", "b", "c", "d"].map { try filled.add($0 + ".mp4") }
        let waiting = try filled.add("e", state: .queued)
        for (index, item) in (items + [waiting]).enumerated() {
            try play(item, to: 40, at: Double(index + 1))
        }
        try play(items[0], to: 50, at: 9)
        try library.play(items[2].id, PlaybackChange(seconds: nil, isWatched: true))
        #expect(try library.itemsInPlayback(limit: 9).map(\.title) == ["a.mp4", "d.mp4", "b.mp4"])
        #expect(try library.itemsInPlayback(limit: 1).map(\.playback.seconds) == [50])
    }

    @Test func aChangePostsOnceAndAnEqualOneNothing() throws {
        let item = try filled.add("a.mp4")
        let recorder = MessageRecorder(PlaybackChanged.self, on: library.messages)
        for _ in 0..<2 { try play(item, to: 40, at: 1) }
        #expect(recorder.messages.map(\.id) == [item.id])
        #expect(recorder.messages.map(\.playback.seconds) == [40])
    }

    @Test func o31_aRemovedItemHasNoPlaybackAndAnotherProcessReadsTheLastOne() async throws {
        let item = try filled.add("a.mp4")
        try play(item, to: 40, at: 1)
        let stored = try ItemRepresentation.stored(item.id, in: library.directory)
        #expect(stored?.playback?.seconds == 40)
        try await library.remove(item.id, withFile: false)
        #expect(try library.itemsInPlayback(limit: 9).isEmpty)
        let error = #expect(throws: LibraryError.self) { try play(item, to: 1, at: 1) }
        #expect(error?.code == .notFound)
    }

    @Test func pagesCanLeaveOutWatchedItems() throws {
        let items = try ["a", "b", "c"].map { try filled.add($0 + ".mp4") }
        try library.play(items[1].id, PlaybackChange(seconds: nil, isWatched: true))
        for words in ["", "mp4"] {
            for (isWatched, titles) in [(false, ["c.mp4", "a.mp4"]), (true, ["b.mp4"])] {
                let query = ItemQuery(
                    states: [.ready],
                    words: try SearchWords(words),
                    isWatched: isWatched
                )
                let page = try library.journal.items.page(query)
                #expect(page.items.map(\.title) == titles)
                #expect(page.total == titles.count)
            }
        }
    }

    @Test func o31_anExportCarriesHowFarItemsWerePlayed() async throws {
        let target = try FilledLibrary()
        let items = try ["a", "b", "c"].map { try filled.add($0 + ".mp4") }
        try play(items[0], to: 40, at: 7)
        try library.play(items[1].id, PlaybackChange(seconds: nil, isWatched: true))
        let text = try filled.export()
        #expect(text.components(separatedBy: #""playback":"#).count == 3)
        _ = try await target.load(text)
        let playbacks = try target.library.journal.items.items().map(\.playback)
        let first = Playback(seconds: 40, playedAt: Date(timeIntervalSince1970: 7))
        #expect(playbacks == [Playback(), Playback(isWatched: true), first])
        let hostile = text.replacing(#""seconds":40"#, with: #""seconds":-40"#)
        await #expect(throws: LibraryError.self) { try await target.load(hostile) }
    }

    @Test func o31_itemsOfAnEarlierLibraryWereNeverPlayed() throws {
        let path = filled.folder.path + "/old.sqlite"
        let connection = try SQLiteConnection(path: path, mode: .readWriteCreate)
        try connection.trustSchema()
        for migration in Migration.all.prefix(19) { try migration.change(connection) }
        try connection.setUserVersion(19)
        try connection.execute(
            """
            INSERT INTO items (id, source, quality, allows_private, title, state, created_at)
            VALUES (1, 'http://example.org/a', 'best', 0, 'A', 'ready', 0)
            """
        )
        connection.close()
        let registry = try Registry(path: path)
        #expect(try registry.items.item(ItemID(rawValue: 1))?.playback == Playback())
        let change = try PlaybackChange(seconds: 40)
        #expect(try registry.play(ItemID(rawValue: 1), change, at: Date())?.new.seconds == 40)
    }
}
