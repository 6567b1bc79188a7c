// SPDX-License-Identifier: Apache-2.0
import TidingsSQLite

@testable import OfflineLibrary

/// Makes every change of an item's row fail, as on a full disk.
struct WriteRefusal {
    private let connection: SQLiteConnection

    init(_ directory: LibraryDirectory) throws {
        connection = try SQLiteConnection(path: directory.registry, mode: .readWriteCreate)
        try connection.execute(
            """
            CREATE TRIGGER refusal BEFORE UPDATE ON items
            BEGIN SELECT RAISE(FAIL, 'refused by the test'); END
            """
        )
    }

    func end() throws {
        try connection.execute("DROP TRIGGER refusal")
    }
}
