// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineTestFixtures
import Testing
import TidingsHTTP
import TidingsSQLite

@testable import OfflineModel
@testable import OfflineStore

@Suite(.timeLimit(.minutes(15)))
struct Migration7Tests {
    private let folder: TemporaryFolder
    private var path: String { folder.path + "/registry.sqlite" }

    init() throws {
        folder = try TemporaryFolder()
    }

    private func makeVersion6() throws {
        let connection = try SQLiteConnection(path: path, mode: .readWriteCreate)
        for migration in Migration.all.prefix(6) { try migration.change(connection) }
        try connection.setUserVersion(6)
        try connection.execute(
            """
            INSERT INTO items (id, source, rendition, allows_private, title, state, created_at)
            VALUES (1, 'http://example.org/a', 'best', 0, 'A', 'queued', 0)
            """
        )
        connection.close()
    }

    @Test func o28_itemsOfVersion6HaveNoOptions() throws {
        try makeVersion6()
        let registry = try Registry(path: path)
        #expect(try registry.items.options(of: ItemID(rawValue: 1)).isEmpty)
        #expect(try registry.items.items().map(\.title) == ["A"])
    }

    @Test func o1_theOptionsOfAnItemAreStored() throws {
        let registry = try Registry(path: path)
        var request = DownloadRequest(.address(try WebAddress("https://a.example/f")))
        let texts = RequestOptions.Texts(
            headers: ["A: 1"],
            proxy: "http://u:p@127.0.0.1:1",
            checksum: "sha1:" + String(repeating: "0", count: 40)
        )
        try request.setOptions(try RequestOptions(texts))
        let item = try registry.insert(request, title: "A", at: Date())
        let other = try Registry(path: path)
        #expect(try other.items.options(of: item.id).texts == texts)
        let newer = try RequestOptions(.init(headers: ["B: 2"]))
        _ = try other.update(item.id, nil, with: [.options(request.options.updated(by: newer))])
        #expect(try registry.items.options(of: item.id).headers.map(\.name) == ["B"])
        #expect(try registry.items.options(of: item.id).proxy == request.options.proxy)
    }

    @Test(arguments: [
        "", "[]", #"{"headers":["Host: a"]}"#, #"{"proxy":"new://a"}"#, #"{"headers":7}"#,
    ])
    func optionsOfAnotherVersionAreNotLeftOut(_ text: String) throws {
        let registry = try Registry(path: path)
        let request = DownloadRequest(.address(try WebAddress("https://a.example/f")))
        let item = try registry.insert(request, title: "A", at: Date())
        let connection = try SQLiteConnection(path: path, mode: .readWriteCreate)
        try connection.execute("UPDATE items SET options = ?", .text(text))
        #expect(throws: DownloadError.self) { try registry.items.options(of: item.id) }
    }
}
