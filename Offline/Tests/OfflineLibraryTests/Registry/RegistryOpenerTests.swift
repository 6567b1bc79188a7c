// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineTestFixtures
import Testing
import TidingsFiles
import TidingsHTTP
import TidingsLock
import TidingsSQLite

@testable import OfflineLibrary
@testable import OfflineModel
@testable import OfflineStore

@Suite(.timeLimit(.minutes(15)))
struct RegistryOpenerTests {
    /// The ways in which a registry can be damaged.
    enum Damage: CaseIterable {
        case noDatabase
        case page
        case header
        case table
        case row
    }

    private let folder: TemporaryFolder
    private let directory: LibraryDirectory
    private let opener: RegistryOpener

    init() throws {
        folder = try TemporaryFolder()
        directory = LibraryDirectory(media: "\(folder.path)/media", data: folder.path)
        try directory.create()
        opener = RegistryOpener(
            directory: directory,
            date: Date(timeIntervalSince1970: 1_700_000_000)
        )
    }

    private func insert(_ count: Int, into registry: Registry) throws -> [MediaItem] {
        try (0..<count).map { number in
            let address = try WebAddress("http://example.org/\(number)")
            return try registry.insert(
                DownloadRequest(.address(address)),
                title: "A title that fills the pages of the file, \(number)",
                at: Date(timeIntervalSince1970: 1_000)
            )
        }
    }

    private func open() throws(SQLiteError) -> (value: [MediaItem], damage: DamagedRegistry?) {
        try opener.open { registry throws(SQLiteError) in
            defer { registry.close() }
            return try registry.items.items()
        }
    }

    /// Creates a registry with items, damages the file and returns the bytes.
    private func makeDamaged(_ damage: Damage) throws -> Data {
        let registry = try Registry(path: directory.registry)
        _ = try insert(20, into: registry)
        if damage == .table || damage == .row {
            let change =
                damage == .table
                ? "DROP TABLE preferences" : "UPDATE items SET created_at = 'soon' WHERE id = 9"
            try registry.connection.withLock { try $0.execute(change) }
        }
        registry.close()
        switch damage {
        case .noDatabase: try write(Data("no database".utf8), at: nil)
        case .page: try write(Data(repeating: 0x5a, count: 8_192), at: 4_096)
        case .header: try write(Data(repeating: 0, count: 64), at: 0)
        case .table, .row: break
        }
        return try Data(contentsOf: URL(filePath: directory.registry))
    }

    /// Overwrites the registry at an offset, or the whole registry.
    private func write(_ data: Data, at offset: UInt64?) throws {
        let url = URL(filePath: directory.registry)
        guard let offset else { return try data.write(to: url) }
        let file = try FileHandle(forWritingTo: url)
        try file.seek(toOffset: offset)
        try file.write(contentsOf: data)
        try file.close()
    }

    @Test(arguments: Damage.allCases)
    func o28_aDamagedRegistryIsSetAsideAndANewOneBegins(_ kind: Damage) throws {
        let bytes = try makeDamaged(kind)
        let (items, found) = try open()
        #expect(items.isEmpty)
        let damage = try #require(found)
        #expect(damage.cause?.code == .corrupt)
        #expect(damage.path == "\(folder.path)/registry-damaged-2023-11-14T221320-01.sqlite")
        #expect(try Data(contentsOf: URL(filePath: damage.path)) == bytes)
        let message = damage.message
        #expect(message.contains(damage.path) && message.contains("offline refresh --import"))
    }

    @Test func o28_theDamageIsReturnedUntilItIsForgotten() throws {
        _ = try makeDamaged(.page)
        let path = try #require(try open().damage?.path)
        let again = try #require(try open().damage)
        #expect(again.path == path && again.cause == nil)
        try Registry(path: directory.registry).preferences.forgetDamage()
        #expect(try open().damage == nil)
    }

    @Test func o28_aDamageAfterTheClockWasSetBackHasItsOwnName() throws {
        let earlier = "\(folder.path)/registry-damaged-2030-01-01T000000-01.sqlite"
        try Data("earlier".utf8).write(to: URL(filePath: earlier))
        _ = try makeDamaged(.page)
        let path = try open().damage?.path
        #expect(path == "\(folder.path)/registry-damaged-2023-11-14T221320-01.sqlite")
    }

    @Test(arguments: [
        "DROP TABLE preferences", "UPDATE items SET created_at = 'soon'",
    ])
    func o28_theLogOfADamagedRegistryIsSetAsideUnmerged(_ change: String) throws {
        let registry = try Registry(path: directory.registry)
        _ = try insert(20, into: registry)
        registry.close()
        let writer = try SQLiteConnection(
            path: directory.registry,
            mode: .readWriteCreate,
            keepsLog: true
        )
        try writer.execute(change)
        writer.close()
        let files = [directory.registry, directory.registry + "-wal"]
        let bytes = try files.map { try Data(contentsOf: URL(filePath: $0)) }
        let (_, damage) = try opener.open { registry throws(SQLiteError) in
            try registry.items.items()
        }
        let path = try #require(damage?.path)
        #expect(try [path, path + "-wal"].map { try Data(contentsOf: URL(filePath: $0)) } == bytes)
        #expect(!bytes[1].isEmpty)
    }

    @Test(arguments: Damage.allCases)
    func o28_aReaderReportsTheDamageAndChangesNothing(_ kind: Damage) throws {
        let bytes = try makeDamaged(kind)
        let error = #expect(throws: SQLiteError.self) {
            try Registry(path: directory.registry, mode: .readOnly).items.items()
        }
        #expect(error?.code == .corrupt)
        #expect(try Data(contentsOf: URL(filePath: directory.registry)) == bytes)
        #expect(error.map { LibraryError(opening: $0).code } == .damaged)
    }

    @Test func o28_aSecondDamageReplacesNothing() throws {
        let first = try makeDamaged(.page)
        let firstPath = try #require(try open().damage?.path)
        let second = try makeDamaged(.noDatabase)
        let secondPath = try #require(try open().damage?.path)
        #expect(firstPath != secondPath)
        #expect(try Data(contentsOf: URL(filePath: firstPath)) == first)
        #expect(try Data(contentsOf: URL(filePath: secondPath)) == second)
    }

    @Test func o28_unfinishedDownloadsAreSetAsideAndNumbersAreNotReused() throws {
        _ = try makeDamaged(.page)
        try SystemFile.makeFolder(directory.work(of: ItemID(rawValue: 212)))
        for path in [
            directory.picture(of: ItemID(rawValue: 210)), directory.mediaFile("211-2.mp4"),
            directory.mediaFile("4000000000000.mp4"), directory.mediaFile("300 films.mp4"),
        ] { try Data().write(to: URL(filePath: path)) }
        let (item, damage) = try opener.open { registry throws(SQLiteError) in
            defer { registry.close() }
            return try registry.insert(
                DownloadRequest(.sample),
                title: "A",
                at: Date(timeIntervalSince1970: 0)
            )
        }
        let path = try #require(damage?.path)
        #expect(SystemFile.names(in: directory.work).isEmpty)
        #expect(SystemFile.names(in: RegistryFiles.work(of: path)) == ["212"])
        #expect(item.id.rawValue == 212)
    }

    @Test func o28_aKilledSettingAsideIsFinishedAndReported() throws {
        _ = try makeDamaged(.page)
        let damaged = "\(folder.path)/registry-damaged-2023-11-14T221319-01.sqlite"
        try SystemFile.rename(directory.registry, to: damaged)
        let name = (damaged as NSString).lastPathComponent
        try Data(name.utf8).write(to: URL(filePath: "\(folder.path)/registry.damaged"))
        try Data("log".utf8).write(to: URL(filePath: directory.registry + "-wal"))
        let (items, found) = try open()
        #expect(items.isEmpty)
        #expect(found?.path == damaged)
        #expect(found?.cause == nil)
        #expect(try Data(contentsOf: URL(filePath: damaged + "-wal")) == Data("log".utf8))
    }

    @Test func o28_aNewerRegistryIsNotSetAside() throws {
        let connection = try SQLiteConnection(path: directory.registry, mode: .readWriteCreate)
        try connection.execute("CREATE TABLE other (id INTEGER)")
        try connection.setUserVersion(999)
        connection.close()
        let bytes = try Data(contentsOf: URL(filePath: directory.registry))
        let error = #expect(throws: SQLiteError.self) { try open() }
        #expect(error?.code == .newerSchema)
        #expect(error?.message.contains("Install that version; nothing was changed.") == true)
        #expect(error.map { LibraryError(opening: $0).code } == .newerVersion)
        #expect(try Data(contentsOf: URL(filePath: directory.registry)) == bytes)
    }
}
