// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineTestFixtures
import Testing
import TidingsLock
import TidingsSQLite

@testable import OfflineModel
@testable import OfflineStore

@Suite(.timeLimit(.minutes(15)))
struct Migration22Tests {
    /// Creates a registry with two items after step 21 and opens the registry.
    private func makeRegistry(_ folder: TemporaryFolder) throws -> Registry {
        let path = folder.path + "/registry.sqlite"
        let connection = try SQLiteConnection(path: path, mode: .readWriteCreate)
        try connection.trustSchema()
        for migration in Migration.all.prefix(21) { try migration.change(connection) }
        try connection.setUserVersion(21)
        try connection.execute(
            """
            INSERT INTO items (id, source, quality, allows_private, title, state, created_at)
            VALUES (1, 'http://example.org/a', 'best', 0, 'A', 'ready', 0),
                (2, 'http://example.org/b', 'best', 0, 'B', 'ready', 0)
            """
        )
        connection.close()
        return try Registry(path: path)
    }

    @Test func o28_anEarlierLibraryHasNoCollectionsAndCanMakeSome() throws {
        let folder = try TemporaryFolder()
        let registry = try makeRegistry(folder)
        #expect(try registry.collections.collections().isEmpty)
        let id = ItemID(rawValue: 1)
        _ = try registry.collectionWriter.makeCollection(try CollectionName("A"), [id], at: .now)
        #expect(try registry.collections.collections().map(\.items) == [[id]])
    }

    /// The database refuses these rows, even if a future fault in the program writes such a row.
    @Test(arguments: [
        "INSERT INTO collections (name, folded_name, created_at) VALUES ('x', 'a', 0)",
        "INSERT INTO collection_items VALUES (1, 1, 2)",
        "INSERT INTO collection_items VALUES (1, 2, 1)",
        "INSERT INTO collection_items VALUES (1, 9, 2)",
        "INSERT INTO collection_items VALUES (9, 2, 1)",
    ])
    func o33_theDatabaseRefusesASecondNameOrPlaceAndUnknownItems(_ statement: String) throws {
        let folder = try TemporaryFolder()
        let registry = try makeRegistry(folder)
        let id = ItemID(rawValue: 1)
        _ = try registry.collectionWriter.makeCollection(try CollectionName("A"), [id], at: .now)
        #expect(throws: SQLiteError.self) {
            try registry.connection.withLock { connection throws(SQLiteError) in
                try connection.execute(statement)
            }
        }
        #expect(try registry.collections.collections().map(\.items) == [[id]])
    }
}
