// SPDX-License-Identifier: Apache-2.0
import OfflineTestFixtures
import Testing
import TidingsSQLite

@testable import OfflineModel
@testable import OfflineSources
@testable import OfflineStore

@Suite(.timeLimit(.minutes(15)))
struct Migration4Tests {
    private let path: String
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path + "/registry.sqlite"
    }

    /// Creates a registry of version 3 with an item that has one part.
    private func makeVersion3() throws {
        let connection = try SQLiteConnection(path: path, mode: .readWriteCreate)
        for migration in Migration.all.prefix(3) { try migration.change(connection) }
        try connection.setUserVersion(3)
        try connection.execute(
            """
            INSERT INTO items (id, source, rendition, allows_private, title, state, created_at)
            VALUES (1, 'http://example.org/a', 'best', 0, 'A', 'queued', 0)
            """
        )
        try connection.execute(
            """
            INSERT INTO parts VALUES (1, 0, 0, 'http://example.org/p', NULL, NULL, 'p', NULL, NULL,
                0, 0, '0-0', 7, 1, 6.0, NULL)
            """
        )
        try connection.execute("INSERT INTO tracks VALUES (1, 0, 'pictures', 'eng')")
        connection.close()
    }

    @Test func theFlagsOfATrackAreStored() throws {
        try makeVersion3()
        let registry = try Registry(path: path)
        let item = ItemID(rawValue: 1)
        var part = try #require(try registry.downloads.parts(of: item).first)
        part.part.isGap = true
        let tracks = [
            TrackDescription(),
            TrackDescription(content: .subtitles, language: "deu", isDefault: true),
            TrackDescription(content: .subtitles, isForced: true),
        ]
        try registry.downloads.setParts([part], tracks: tracks, of: item)
        #expect(try registry.downloads.tracks(of: item) == tracks)
        #expect(try registry.downloads.parts(of: item).map(\.part.isGap) == [true])
        try registry.downloads.removeParts(ofTrack: 0, in: item)
        #expect(try registry.downloads.parts(of: item).isEmpty)
        #expect(try registry.downloads.tracks(of: item) == tracks)
    }

    @Test func o28_partsOfVersion3AreNoGaps() throws {
        try makeVersion3()
        let registry = try Registry(path: path)
        let parts = try registry.downloads.parts(of: ItemID(rawValue: 1))
        #expect(parts.map(\.part.isGap) == [false])
        #expect(parts.map(\.size) == [7])
        #expect(
            try registry.downloads.tracks(of: ItemID(rawValue: 1)) == [
                TrackDescription(content: .pictures, language: "eng")
            ]
        )
    }
}
