// SPDX-License-Identifier: Apache-2.0
import TidingsSQLite

@testable import OfflineModel

/// Makes all changes of items' rows fail, as on a full disk, until `end`.
struct WriteFailure {
    private let connection: SQLiteConnection

    init(_ directory: LibraryDirectory) throws {
        connection = try SQLiteConnection(path: directory.registry, mode: .readWriteCreate)
        try connection.execute(
            """
            CREATE TRIGGER failure BEFORE UPDATE ON items
            BEGIN SELECT RAISE(FAIL, 'refused by the test'); END
            """
        )
    }

    func end() throws {
        try connection.execute("DROP TRIGGER failure")
    }
}
