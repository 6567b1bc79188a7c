// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineTestFixtures
import Testing
import Tidings

@testable import OfflineModel
@testable import OfflineStore

@Suite(.timeLimit(.minutes(15)))
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
}
