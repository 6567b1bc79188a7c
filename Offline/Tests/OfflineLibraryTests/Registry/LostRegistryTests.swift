// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineTestFixtures
import Testing
import TidingsFiles
import TidingsSQLite

@testable import OfflineLibrary
@testable import OfflineModel
@testable import OfflineStore

/// Tests of a library whose registry is lost and whose media files remain.
@Suite(.timeLimit(.minutes(15)))
struct LostRegistryTests {
    /// The ways in which a registry can be lost.
    enum Loss: CaseIterable {
        case missing
        case empty
        case withoutTables
    }

    private let folder: TemporaryFolder
    private let directory: LibraryDirectory

    init() throws {
        folder = try TemporaryFolder()
        directory = LibraryDirectory(media: "\(folder.path)/media", data: folder.path)
        try directory.create()
    }

    private func write(_ text: String, to path: String) throws {
        try Data(text.utf8).write(to: URL(filePath: path))
    }

    private func lose(_ loss: Loss) throws {
        switch loss {
        case .missing: break
        case .empty: try write("", to: directory.registry)
        case .withoutTables:
            try SQLiteConnection(path: directory.registry, mode: .readWriteCreate).close()
        }
    }

    private func makeUnfinished(_ number: Int64) throws {
        let id = ItemID(rawValue: number)
        try SystemFile.makeFolder(directory.work(of: id))
        try write("a part", to: directory.partialFile(of: id))
    }

    private func open() throws -> Library {
        try Library(LibraryConfiguration(directory: directory))
    }

    @Test(arguments: Loss.allCases)
    func o28_theDownloadsOfALostRegistryAreSetAside(_ loss: Loss) async throws {
        try makeUnfinished(1)
        try lose(loss)
        let library = try open()
        let damage = try #require(library.open.damage)
        #expect(damage.cause?.code == .corrupt)
        let work = RegistryFiles.work(of: damage.path)
        #expect(SystemFile.read("\(work)/1/partial", limit: 64) == Data("a part".utf8))
        #expect(!SystemFile.exists("\(folder.path)/registry.damaged"))
        await library.stop()
    }

    @Test(arguments: Loss.allCases)
    func o28_aFinishedFileShowsThatARegistryIsLost(_ loss: Loss) async throws {
        try write("a film", to: directory.mediaFile("3.txt"))
        try lose(loss)
        let library = try open()
        #expect(library.open.damage != nil)
        let report = try await library.refresh(RefreshOptions(importFiles: true))
        #expect(report.imported.map(\.id) == [ItemID(rawValue: 4)])
        await library.stop()
    }

    @Test(arguments: Loss.allCases)
    func o1_aFolderWithoutFilesIsANewLibrary(_ loss: Loss) async throws {
        try lose(loss)
        let library = try open()
        #expect(library.open.damage == nil)
        await library.stop()
    }

    @Test(arguments: [Loss.missing, .empty])
    func o28_aReaderReportsALostRegistry(_ loss: Loss) throws {
        try lose(loss)
        #expect(try Registry.readOnly(in: directory) == nil)
        try makeUnfinished(1)
        let error = #expect(throws: SQLiteError.self) { try Registry.readOnly(in: directory) }
        #expect(error?.code == .corrupt)
    }

    @Test(arguments: ["link", "dangling link", "folder", "pipe"])
    func o28_onlyARegularFileIsARegistry(_ kind: String) throws {
        let target = "\(folder.path)/target"
        switch kind {
        case "folder": try SystemFile.makeFolder(directory.registry)
        case "pipe": #expect(mkfifo(directory.registry, 0o600) == 0)
        default:
            if kind == "link" { try write("", to: target) }
            #expect(symlink(target, directory.registry) == 0)
        }
        let error = #expect(throws: LibraryError.self) { try open() }
        #expect(error?.code == .cannotOpen)
        #expect(error?.message.contains(directory.registry) == true)
        let unread = #expect(throws: SQLiteError.self) { try Registry.readOnly(in: directory) }
        #expect(unread?.code == .inputOutput)
        #expect(kind == "link" || !SystemFile.exists(target))
    }

    @Test func o28_theLogOfALostRegistryIsSetAside() async throws {
        let earlier = "\(folder.path)/registry-damaged-2020-01-01T000000-01.sqlite"
        try write("earlier", to: earlier)
        try write("a log", to: directory.registry + "-wal")
        let library = try open()
        let path = try #require(library.open.damage?.path)
        #expect(path != earlier)
        #expect(SystemFile.read(path + "-wal", limit: 64) == Data("a log".utf8))
        #expect(!SystemFile.exists(earlier + "-wal"))
        await library.stop()
    }

    @Test func o28_aNewRegistryDeletesNoDownloads() async throws {
        let name = "registry-damaged-2020-01-01T000000-01.sqlite"
        try write("damaged", to: "\(folder.path)/\(name)")
        try write(name, to: "\(folder.path)/registry.damaged")
        try makeUnfinished(9)
        let library = try open()
        #expect(library.open.damage?.path == "\(folder.path)/\(name)")
        #expect(SystemFile.names(in: directory.work) == ["9"])
        await library.stop()
    }
}
