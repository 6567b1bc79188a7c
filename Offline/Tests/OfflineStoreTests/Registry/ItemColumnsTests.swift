// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineTestFixtures
import Testing
import TidingsHTTP
import TidingsSQLite

@testable import OfflineModel
@testable import OfflineStore

@Suite(.timeLimit(.minutes(15)))
struct ItemColumnsTests {
    private let folder: TemporaryFolder
    private let registry: Registry
    private let item: StoredItem

    init() throws {
        folder = try TemporaryFolder()
        registry = try Registry(path: folder.path + "/registry.sqlite")
        var fields = ItemFields(
            title: "A",
            state: .failed,
            createdAt: Date(timeIntervalSince1970: 1)
        )
        (fields.kind, fields.fileName, fields.size) = (ItemKind(rawValue: "k"), "a.mp4", 7)
        (fields.mediaType, fields.duration, fields.width) = ("video/mp4", 1.5, 2)
        (fields.height, fields.note, fields.readyAt) = (3, "n", Date(timeIntervalSince1970: 2))
        (fields.error, fields.live) = (ItemFailure(code: "c", message: "m"), .init(isOver: true))
        fields.playback = Playback(seconds: 4, isWatched: true, playedAt: fields.readyAt)
        let found = MediaItem(
            id: ItemID(rawValue: 1),
            origin: .address(try WebAddress("https://a.example/f")),
            choice: MediaChoice(quality: .height(720)),
            allowsPrivateAddresses: true,
            hasPicture: true,
            position: 9,
            titleSource: .tags,
            fields: fields
        )
        let marks = ItemMarks(sha256: "s", modified: 8, kept: true)
        item = StoredItem(found, marks: marks, options: .init(), picture: "p", isSeparate: false)
    }

    @Test func aWrittenItemIsReadWithAllFields() throws {
        let row = try registry.transaction { [item] connection throws(SQLiteError) in
            try ItemReader.row(connection, Registry.insert(connection, item))
        }
        #expect(row == item)
    }

    @Test func everyColumnBelongsToTheItemOrToAnotherRecord() throws {
        let others = ["validator", "total_bytes", "synced_bytes", "boot_id", "numbered_name"]
        let found = try registry.rows("SELECT name FROM pragma_table_info('items')") {
            row throws(SQLiteError) in try row.text("name")
        }
        #expect(Set(found) == Set(try ItemColumns(of: item).names + others))
    }

    @Test func aChangeWritesOnlyTheColumnsThatDiffer() throws {
        let id = try registry.transaction { [item] connection throws(SQLiteError) in
            try Registry.insert(connection, item)
        }
        try registry.execute("UPDATE items SET title_source = 99")
        #expect(try registry.update(id, nil, with: [.set(\.note, nil)])?.note == nil)
        let sources = try registry.rows("SELECT title_source FROM items") {
            row throws(SQLiteError) in try row.int("title_source")
        }
        #expect(sources == [99])
    }
}
