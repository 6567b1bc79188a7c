// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineTestFixtures
import Testing
import Tidings
import TidingsCoreFixtures
import TidingsFiles

@testable import OfflineModel
@testable import OfflineStore

@Suite(.timeLimit(.minutes(15)))
struct ServerFileTests {
    private let file = ServerFile(address: "http://127.0.0.1:8420", token: "secret", process: 7)

    @Test func o17_theServerFileIsValidOnlyWhileItsServerRuns() throws {
        let folder = try TemporaryFolder()
        let directory = LibraryDirectory(media: folder.path, data: folder.path)
        var lock: ServerFile.HeldLock? = try file.write(directory)
        #expect(ServerFile.read(directory) == file)
        withExtendedLifetime(lock) {}
        // After a kill of the server, the file remains, but another program may get the port.
        lock = nil
        #expect(SystemFile.size(of: directory.serverFile) != nil)
        #expect(ServerFile.read(directory) == nil)
    }

    @Test func o17_onlyTheOwnerCanReadTheServerFile() throws {
        let folder = try TemporaryFolder()
        let directory = LibraryDirectory(media: folder.path, data: folder.path)
        let lock = try file.write(directory)
        #expect(ServerFile.read(directory) == file)
        var status = stat()
        #expect(stat(directory.serverFile, &status) == 0)
        #expect(status.st_mode & 0o777 == 0o600)
        ServerFile.remove(directory)
        #expect(ServerFile.read(directory) == nil)
        withExtendedLifetime(lock) {}
    }

    @Test func o17_theFileOfAnEndedServerIsReplacedAsAWhole() throws {
        let folder = try TemporaryFolder()
        let directory = LibraryDirectory(media: folder.path, data: folder.path)
        let address = "http://127.0.0.1:" + String(repeating: "0", count: 500) + "8420"
        _ = try ServerFile(address: address, token: "longer", process: 6).write(directory)
        chmod(directory.serverFile, 0o644)
        let lock = try file.write(directory)
        #expect(ServerFile.read(directory) == file)
        let content = try #require(SystemFile.read(directory.serverFile, limit: 4_096))
        #expect(!String(decoding: content, as: UTF8.self).contains("longer"))
        var status = stat()
        #expect(stat(directory.serverFile, &status) == 0)
        #expect(status.st_mode & 0o777 == 0o600)
        #expect(SystemFile.names(in: folder.path) == ["server.json"])
        withExtendedLifetime(lock) {}
    }

    @Test(arguments: ["link", "second name", "pipe"])
    func o17_whatIsNoFileOfAServerIsReplacedAndNotWritten(_ kind: String) throws {
        let folder = try TemporaryFolder()
        let directory = LibraryDirectory(media: folder.path, data: folder.path)
        let other = folder.path + "/other"
        try SystemFile.create(other, content: Data("mine".utf8))
        switch kind {
        case "link": #expect(symlink(other, directory.serverFile) == 0)
        case "second name": #expect(link(other, directory.serverFile) == 0)
        default: #expect(mkfifo(directory.serverFile, 0o600) == 0)
        }
        let lock = try file.write(directory)
        #expect(ServerFile.read(directory) == file)
        #expect(SystemFile.read(other, limit: 100) == Data("mine".utf8))
        withExtendedLifetime(lock) {}
    }

    #if os(Linux)
    @Test(.enabled(if: SmallDisk.isPossible, "Only root can have a small disk."))
    func o9_onAFullDiskTheFileOfAnEndedServerIsOverwritten() throws {
        let disk = try SmallDisk()
        let directory = LibraryDirectory(media: disk.folder, data: disk.folder)
        _ = try ServerFile(address: "http://127.0.0.1:1", token: "old", process: 6).write(directory)
        // The open reader keeps the block in use after a removal, as if another thread had taken
        // the block.
        let reader = try FileDescriptor(directory.serverFile, O_RDONLY)
        try disk.fill(leaving: 0)
        let lock = try file.write(directory)
        #expect(ServerFile.read(directory) == file)
        withExtendedLifetime((lock, reader, disk)) {}
    }

    @Test(.enabled(if: SmallDisk.isPossible, "Only root can have a small disk."))
    func o9_onAFullDiskTheFirstServerFileGetsTheSpaceOfTheReserve() throws {
        let disk = try SmallDisk(kibibytes: 5 << 10)
        let directory = LibraryDirectory(media: disk.folder, data: disk.folder)
        let space = DiskSpace(directory, measure: { _ in nil })
        space.createReserve()
        try #require(space.isReserved)
        // A child process that another thread starts has the file open for a moment.
        let reader = try FileDescriptor(directory.reserve, O_RDONLY)
        try disk.fill(leaving: 0)
        let lock = try file.write(directory)
        #expect(ServerFile.read(directory) == file)
        #expect(!space.isReserved)
        withExtendedLifetime((lock, reader, disk)) {}
    }

    @Test(.enabled(if: SmallDisk.isPossible, "Only root can have a small disk."))
    func o9_withoutAnySpaceTheErrorSaysWhatToDo() throws {
        let disk = try SmallDisk()
        let directory = LibraryDirectory(media: disk.folder, data: disk.folder)
        try disk.fill(leaving: 0)
        let error = #expect(throws: LibraryError.self) { try file.write(directory) }
        #expect(error?.code == .diskFull)
        #expect(error?.message.contains("Free some space") == true)
        withExtendedLifetime(disk) {}
    }
    #endif
}
