// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineTestFixtures
import Testing
import TidingsHTTP
import TidingsSQLite

@testable import OfflineModel
@testable import OfflineStore

@Suite(.timeLimit(.minutes(15)))
struct Migration12Tests {
    private let folder: TemporaryFolder
    private var path: String { folder.path + "/registry.sqlite" }

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test func o28_earlierItemsKeepTheirQualityAndAllLanguages() throws {
        let connection = try SQLiteConnection(path: path, mode: .readWriteCreate)
        for migration in Migration.all.prefix(11) { try migration.change(connection) }
        try connection.setUserVersion(11)
        // The triggers of the word index write to a virtual table.
        try connection.execute("PRAGMA trusted_schema = ON")
        try connection.execute(
            """
            INSERT INTO items (id, source, rendition, allows_private, title, state, created_at)
            VALUES (1, 'http://example.org/a', '720p', 0, 'A', 'queued', 0)
            """
        )
        connection.close()
        let items = try Registry(path: path).items.items()
        #expect(items.map(\.choice) == [MediaChoice(quality: .height(720))])
    }

    @Test func o18_anotherChoiceIsAnotherItem() throws {
        let registry = try Registry(path: path)
        var request = DownloadRequest(.address(try WebAddress("https://a.example/f")))
        let choices = [
            MediaChoice(), MediaChoice(quality: .audio),
            MediaChoice(audio: try LanguageChoice("en,de")), MediaChoice(subtitles: .none),
        ]
        for choice in choices {
            request.choice = RequestedChoice(choice)
            let first = try registry.insertUnlessKnown(request, title: "A", at: Date())
            let second = try registry.insertUnlessKnown(request, title: "A", at: Date())
            #expect(first.isNew && !second.isNew && first.item == second.item)
            #expect(try registry.items.item(first.item.id)?.choice == choice)
        }
        #expect(try registry.items.items().count == choices.count)
    }
}
