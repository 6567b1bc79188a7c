// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineTestFixtures
import Testing
import TidingsHTTP
import TidingsLock
import TidingsSQLite

@testable import OfflineLibrary

/// The file names of a registry that another program has changed.
@Suite(.timeLimit(.minutes(5)))
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
        let read = try #require(try registry.item(item.id))
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
        try registry.setParts([record], of: item.id)
        guard !isValid else {
            return #expect(try registry.parts(of: item.id).map(\.fileName) == [stored])
        }
        let error = #expect(throws: SQLiteError.self) { try registry.parts(of: item.id) }
        #expect(error?.code == .corrupt)
        // The item itself stays usable.
        #expect(try registry.item(item.id)?.title == "A")
    }
}
