// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineTestFixtures
import Testing
import TidingsHTTP
import TidingsLock
import TidingsSQLite

@testable import OfflineModel
@testable import OfflineSources
@testable import OfflineStore

/// Tests of the file names of a registry that another program has changed.
@Suite(.timeLimit(.minutes(15)))
struct StoredNamesTests {
    private let folder: TemporaryFolder
    private let registry: Registry
    private let item: MediaItem

    init() throws {
        folder = try TemporaryFolder()
        registry = try Registry(path: folder.path + "/registry.sqlite")
        item = try registry.insert(
            DownloadRequest(.sample),
            state: .ready,
            title: "A",
            at: Date(timeIntervalSince1970: 0)
        )
    }

    @Test(
        arguments: [
            ("../../secret.txt", nil), ("/etc/passwd", nil), ("..", nil), (".", nil), ("", nil),
            ("a\u{0}b", nil), ("a/\u{301}b", nil), ("1.mp4", "1.mp4"),
            ("my film.mp4", "my film.mp4"),
            ("..mp4", nil), (".offline", nil),
        ] as [(String, String?)]
    )
    func o11_anItemHasOnlyAFileOfTheMediaFolder(_ stored: String, _ name: String?) throws {
        try registry.connection.withLock {
            try $0.execute("UPDATE items SET file_name = ?", .text(stored))
        }
        let read = try #require(try registry.items.item(item.id))
        #expect(read.fileName == name)
        #expect(read.state == (name == nil ? .missing : .ready))
    }

    @Test(arguments: [
        ("../../../OUT/written", false), ("..", false), ("", false), ("1/2", false), ("١", false),
        ("map", true), ("7", true), ("0-12", true),
    ])
    func o11_aPartHasOnlyANameOfThisProgram(_ stored: String, _ isValid: Bool) throws {
        let part = Part(address: try WebAddress("http://example.org/p"), identity: "p")
        let record = PartRecord(PartID(track: 0, number: 0), part, fileName: stored)
        try registry.downloads.setParts([record], of: item.id)
        guard !isValid else {
            return #expect(try registry.downloads.parts(of: item.id).map(\.fileName) == [stored])
        }
        let error = #expect(throws: SQLiteError.self) { try registry.downloads.parts(of: item.id) }
        #expect(error?.code == .corrupt)
        // The item stays usable.
        #expect(try registry.items.item(item.id)?.title == "A")
    }
}
