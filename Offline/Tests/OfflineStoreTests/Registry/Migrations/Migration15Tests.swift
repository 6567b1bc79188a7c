// SPDX-License-Identifier: Apache-2.0
import OfflineTestFixtures
import Testing
import TidingsSQLite

@testable import OfflineModel
@testable import OfflineStore

@Suite(.timeLimit(.minutes(15)))
struct Migration15Tests {
    @Test func o28_thePicturesOfAnEarlierImportAreStillDue() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/registry.sqlite"
        let connection = try SQLiteConnection(path: path, mode: .readWriteCreate)
        try connection.trustSchema()
        for migration in Migration.all.prefix(14) { try migration.change(connection) }
        try connection.setUserVersion(14)
        for (number, picture) in [(1, 0), (2, 0), (3, 1), (4, 0)] {
            try connection.execute(
                """
                INSERT INTO items (
                    id, source, quality, allows_private, title, state, created_at, has_picture
                )
                VALUES (?, 'http://example.org/a', 'best', 0, 'A', 'ready', 0, ?)
                """,
                .integer(number),
                .integer(picture)
            )
        }
        try connection.execute("INSERT INTO preferences VALUES ('pictures_after', '1')")
        connection.close()
        let registry = try Registry(path: path)
        var due: [Int64] = []
        while let item = try registry.items.nextForPicture(
            before: due.last.map(ItemID.init(rawValue:))
        ) { due.append(item.id.rawValue) }
        #expect(due == [4, 2])
    }
}
