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
struct SearchTests {
    private let folder: TemporaryFolder
    private let registry: Registry

    init() throws {
        folder = try TemporaryFolder()
        registry = try Registry(path: folder.path + "/registry.sqlite")
        for (address, title) in [
            ("https://media.example/river/1.mp4", "Café am Fluß"),
            ("https://other.example/2.mp4", "日本語の映画"),
            ("https://media.example/3.mp4", "A \"quoted\" film-title OR 100%"),
            ("https://media.example/4.mp4", "🎬 Ärger"),
        ] {
            let request = DownloadRequest(.address(try WebAddress(address)))
            _ = try registry.insert(request, title: title, at: Date())
        }
    }

    private func found(_ text: String, in registry: Registry? = nil) throws -> [Int64] {
        let query = ItemQuery(words: try SearchWords(text))
        let page = try (registry ?? self.registry).items.page(query)
        #expect(page.total == page.items.count)
        return page.items.map(\.id.rawValue)
    }

    @Test(arguments: [
        ("cafe", [1]), ("CAFÉ flu", [1]), ("arger", [4]), ("media.example", [4, 3, 1]),
        ("river caf", [1]), ("river other", []), ("afé", []), ("4.mp4", [4]),
        ("映画", [2]), ("語", [2]), ("映画 other", [2]), ("🎬", [4]), ("", [4, 3, 2, 1]),
        (" \t\n", [4, 3, 2, 1]),
    ])
    func wordsAreFoundAtTheirBeginnings(_ text: String, _ numbers: [Int64]) throws {
        #expect(try found(text) == numbers)
    }

    @Test(
        arguments: [
            ("\"quoted", [3]), ("film-title", [3]), ("or", [3]), ("OR NOT", []), ("title:cafe", []),
            ("cafe*", [1]), ("^cafe", [1]), ("NEAR(a b)", []), ("(", []), ("%", [3]), ("_", []),
            ("\\", []), ("\"\"", []), ("'; DROP TABLE items", []), ("a\u{0}b", []), ("-", [3]),
        ] as [(String, [Int64])]
    )
    func wordsAreNeverSyntax(_ text: String, _ numbers: [Int64]) throws {
        #expect(try found(text) == numbers)
    }

    @Test(arguments: [String(repeating: "a ", count: 17), String(repeating: "a", count: 1_001)])
    func tooManyWordsAreRefused(_ text: String) {
        let error = #expect(throws: LibraryError.self) { try SearchWords(text) }
        #expect(error?.code == .invalidOption)
    }

    @Test func theIndexFollowsEachChange() throws {
        let id = ItemID(rawValue: 1)
        _ = try registry.update(
            id,
            nil,
            with: [.title("Mountain"), .file(name: "hut.mp4", size: 1)]
        )
        #expect(try found("cafe").isEmpty)
        #expect(try found("mountain hut") == [1])
        try registry.remove(id)
        #expect(try found("mountain").isEmpty)
        // The statement throws if the index and the table differ.
        try registry.connection.withLock { connection throws(SQLiteError) in
            try connection.execute("INSERT INTO search (search) VALUES ('integrity-check')")
        }
    }

    @Test func aSearchIsLimitedToStatesAndPages() throws {
        _ = try registry.update(ItemID(rawValue: 3), .fail, with: [])
        var query = ItemQuery(states: [.queued], words: try SearchWords("media"), count: 1)
        let first = try registry.items.page(query)
        #expect((first.items.map(\.id.rawValue), first.total) == ([4], 2))
        query.after = first.next
        #expect(try registry.items.page(query).items.map(\.id.rawValue) == [1])
    }

    /// The program's own triggers write to the index, so the file may have no other trigger.
    @Test(arguments: ["DROP TRIGGER search_change", "CREATE VIEW other AS SELECT 1"])
    func o28_aFileWithOtherTriggersIsDamaged(_ statement: String) throws {
        try registry.connection.withLock { connection throws(SQLiteError) in
            try connection.execute(statement)
        }
        let error = #expect(throws: SQLiteError.self) {
            try Registry(path: folder.path + "/registry.sqlite")
        }
        #expect(error?.code == .corrupt)
    }

    @Test func o28_theItemsOfAnEarlierVersionAreFound() throws {
        let path = folder.path + "/earlier.sqlite"
        let connection = try SQLiteConnection(path: path, mode: .readWriteCreate)
        // The step of the options is the last step before the index.
        while try connection.columnsByTable()["items"]?.contains("options") != true {
            let version = try connection.userVersion
            try Migration.all[version].change(connection)
            try connection.setUserVersion(version + 1)
        }
        try connection.execute(
            """
            INSERT INTO items (id, source, rendition, allows_private, title, state, created_at)
            VALUES (1, 'http://example.org/a', 'best', 0, 'Old Film', 'queued', 0)
            """
        )
        connection.close()
        #expect(try found("film", in: Registry(path: path)) == [1])
    }
}
