// SPDX-License-Identifier: Apache-2.0
import OfflineTestFixtures
import Testing
import TidingsHTTP
import TidingsSQLite

@testable import OfflineModel
@testable import OfflineSources
@testable import OfflineStore

/// Tests of the values of the rows.
///
/// The tests with the library of version 1 show that downloads continue.
@Suite(.timeLimit(.minutes(15)))
struct Migration2Tests {
    private let path: String
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path + "/registry.sqlite"
    }

    /// Inserts segments in version 1, and returns the parts after the migration.
    private func migrate(_ segments: [Int]) throws -> [PartRecord] {
        let connection = try SQLiteConnection(path: path, mode: .readWriteCreate)
        try Migration.version1.change(connection)
        try connection.setUserVersion(1)
        try connection.execute(
            """
            INSERT INTO items (id, source, rendition, allows_private, title, state, created_at)
            VALUES (1, 'http://example.org/a', 'best', 0, 'A', 'queued', 0)
            """
        )
        for number in segments {
            try connection.execute(
                """
                INSERT INTO segments VALUES (1, ?, 'http://example.org/p', 5, 10, ?,
                    'http://example.org/k', x'0102', ?, NULL, 0)
                """,
                .integer(number),
                .text("\(number)"),
                .integer(number)
            )
        }
        connection.close()
        let registry = try Registry(path: path)
        return try registry.downloads.parts(of: ItemID(rawValue: 1))
    }

    private func record(_ number: Int, from segment: Int, _ fileName: String) throws -> PartRecord {
        PartRecord(
            PartID(track: 0, number: number),
            Part(
                address: try WebAddress("http://example.org/p"),
                range: HTTPByteRange(offset: 5, length: 10),
                identity: "\(segment)",
                key: DecryptionKey(address: try WebAddress("http://example.org/k"), iv: [1, 2]),
                isInitialization: segment == -1,
                isDiscontinuity: segment != 0
            ),
            fileName: fileName
        )
    }

    @Test func o28_segmentsKeepTheirNumbersAndFiles() throws {
        let expected = [try record(0, from: 0, "0"), try record(1, from: 1, "1")]
        #expect(try migrate([0, 1]) == expected)
    }

    @Test func o28_rowsThatVersion1NeverWroteAreDropped() throws {
        let connection = try SQLiteConnection(path: path, mode: .readWriteCreate)
        try Migration.version1.change(connection)
        try connection.setUserVersion(1)
        try connection.execute("PRAGMA foreign_keys = OFF")
        try connection.execute(
            """
            INSERT INTO items (id, source, rendition, allows_private, title, state, created_at)
            VALUES (1, 'http://example.org/a', 'best', 0, 'A', 'queued', 0)
            """
        )
        // In a sum, the string `1x` becomes the number 1, which is taken.
        for (item, number) in [(1, "1"), (1, "'1x'"), (1, "-7"), (9, "0")] {
            try connection.execute(
                """
                INSERT INTO segments VALUES (\(item), \(number), 'http://example.org/p', NULL, NULL,
                    'p', NULL, NULL, 0, NULL, 0)
                """
            )
        }
        connection.close()
        let registry = try Registry(path: path)
        #expect(try registry.downloads.parts(of: ItemID(rawValue: 1)).map(\.fileName) == ["1"])
        #expect(try registry.downloads.partCount(of: ItemID(rawValue: 9)) == 0)
    }

    @Test func o28_anInitializationSectionBecomesTheFirstPart() throws {
        let expected = [
            try record(0, from: -1, "map"), try record(1, from: 0, "0"),
            try record(2, from: 1, "1"),
        ]
        #expect(try migrate([-1, 0, 1]) == expected)
    }
}
