// SPDX-License-Identifier: Apache-2.0
import OfflineTestFixtures
import Testing
import TidingsSQLite

@testable import OfflineModel
@testable import OfflineStore

@Suite(.timeLimit(.minutes(15)))
struct Migration18Tests {
    @Test func o28_subtitlesOfAnEarlierLibraryHaveNoChecksumYet() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/registry.sqlite"
        let connection = try SQLiteConnection(path: path, mode: .readWriteCreate)
        try connection.trustSchema()
        for migration in Migration.all.prefix(17) { try migration.change(connection) }
        try connection.setUserVersion(17)
        try connection.execute(
            """
            INSERT INTO items (id, source, quality, allows_private, title, state, created_at)
            VALUES (1, 'http://example.org/a', 'best', 0, 'A', 'ready', 0)
            """
        )
        try connection.execute("INSERT INTO subtitle_files VALUES (1, 'a.en.vtt', 6, 9)")
        connection.close()
        let registry = try Registry(path: path)
        let id = ItemID(rawValue: 1)
        #expect(try registry.files.subtitleFiles(of: id).keys.sorted() == ["a.en.vtt"])
        #expect(try registry.files.subtitleChecksums(of: id).isEmpty)
        let checksum = SubtitleChecksum(size: 6, sha256: "a")
        try registry.files.setSubtitleChecksum(checksum, ".en.vtt", of: id)
        #expect(try registry.files.subtitleChecksums(of: id) == [".en.vtt": checksum])
        // The registry keeps nothing of a removed item.
        try registry.remove(id)
        try registry.files.setSubtitleChecksum(checksum, ".en.vtt", of: id)
        #expect(try registry.files.subtitleChecksums(of: id).isEmpty)
    }
}
