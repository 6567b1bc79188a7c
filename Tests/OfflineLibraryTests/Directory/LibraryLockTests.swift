import Foundation
import Testing
// SPDX-License-Identifier: Apache-2.0
import Tidings

@testable import OfflineLibrary

@Suite(.timeLimit(.minutes(5)))
struct LibraryLockTests {
    @Test func promise17_aSecondHolderIsToldWhoHasIt() throws {
        let folder = try TemporaryFolder()
        let directory = LibraryDirectory(path: folder.path)
        let lock = try LibraryLock(directory)
        let error = #expect(throws: LibraryError.self) { try LibraryLock(directory) }
        #expect(error?.code == .inUse)
        #expect(error?.message.contains("process \(getpid())") == true)
        withExtendedLifetime(lock) {}
    }

    @Test func theLockIsFreeWhenItsHolderIsGone() throws {
        let folder = try TemporaryFolder()
        let directory = LibraryDirectory(path: folder.path)
        do { _ = try LibraryLock(directory) }
        _ = try LibraryLock(directory)
    }

    @Test func promise17_theServersFileCountsOnlyWhileItsServerLives() throws {
        let folder = try TemporaryFolder()
        let directory = LibraryDirectory(path: folder.path)
        let file = ServerFile(address: "http://127.0.0.1:8420", token: "secret", process: 7)
        var hold: ServerFile.Hold? = try file.write(directory)
        #expect(ServerFile.read(directory) == file)
        withExtendedLifetime(hold) {}
        // A server that was killed leaves its file, and its port to anybody.
        hold = nil
        #expect(Disk.size(of: directory.serverFile) != nil)
        #expect(ServerFile.read(directory) == nil)
    }

    @Test func promise17_theServersFileIsForItsOwnerAlone() throws {
        let folder = try TemporaryFolder()
        let directory = LibraryDirectory(path: folder.path)
        let file = ServerFile(address: "http://127.0.0.1:8420", token: "secret", process: 7)
        let hold = try file.write(directory)
        #expect(ServerFile.read(directory) == file)
        var status = stat()
        #expect(stat(directory.serverFile, &status) == 0)
        #expect(status.st_mode & 0o777 == 0o600)
        ServerFile.remove(directory)
        #expect(ServerFile.read(directory) == nil)
        withExtendedLifetime(hold) {}
    }
}
