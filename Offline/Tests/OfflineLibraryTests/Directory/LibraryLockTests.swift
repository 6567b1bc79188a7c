// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineTestFixtures
import Testing
import Tidings
import TidingsFiles

@testable import OfflineLibrary

@Suite(.timeLimit(.minutes(5)))
struct LibraryLockTests {
    @Test func o17_theErrorOfASecondProcessNamesTheHolder() throws {
        let folder = try TemporaryFolder()
        let directory = LibraryDirectory(media: folder.path, data: folder.path)
        let lock = try LibraryLock(directory)
        let error = #expect(throws: LibraryError.self) { try LibraryLock(directory) }
        #expect(error?.code == .inUse)
        #expect(error?.message.contains("process \(getpid())") == true)
        withExtendedLifetime(lock) {}
    }

    @Test func theLockIsReleasedWithItsHolder() throws {
        let folder = try TemporaryFolder()
        let directory = LibraryDirectory(media: folder.path, data: folder.path)
        do { _ = try LibraryLock(directory) }
        _ = try LibraryLock(directory)
    }

    @Test func o17_theServerFileIsValidOnlyWhileItsServerRuns() throws {
        let folder = try TemporaryFolder()
        let directory = LibraryDirectory(media: folder.path, data: folder.path)
        let file = ServerFile(address: "http://127.0.0.1:8420", token: "secret", process: 7)
        var lock: ServerFile.HeldLock? = try file.write(directory)
        #expect(ServerFile.read(directory) == file)
        withExtendedLifetime(lock) {}
        // As after a kill of the server: the file remains, but another program may get the port.
        lock = nil
        #expect(SystemFile.size(of: directory.serverFile) != nil)
        #expect(ServerFile.read(directory) == nil)
    }

    @Test func o17_onlyTheOwnerCanReadTheServerFile() throws {
        let folder = try TemporaryFolder()
        let directory = LibraryDirectory(media: folder.path, data: folder.path)
        let file = ServerFile(address: "http://127.0.0.1:8420", token: "secret", process: 7)
        let lock = try file.write(directory)
        #expect(ServerFile.read(directory) == file)
        var status = stat()
        #expect(stat(directory.serverFile, &status) == 0)
        #expect(status.st_mode & 0o777 == 0o600)
        ServerFile.remove(directory)
        #expect(ServerFile.read(directory) == nil)
        withExtendedLifetime(lock) {}
    }
}
