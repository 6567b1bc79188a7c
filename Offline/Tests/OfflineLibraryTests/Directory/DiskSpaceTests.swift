// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineTestFixtures
import Testing
import TidingsFiles

@testable import OfflineLibrary
@testable import OfflineModel
@testable import OfflineStore

@Suite(.timeLimit(.minutes(15)))
struct DiskSpaceTests {
    private let folder: TemporaryFolder
    private let directory: LibraryDirectory

    init() throws {
        folder = try TemporaryFolder()
        directory = LibraryDirectory(media: folder.path, data: folder.path)
    }

    private func space(_ free: Int64?) -> DiskSpace { DiskSpace(directory) { _ in free } }

    @Test func o9_theReserveTakesFourMebibytesOfTheDisk() throws {
        let space = space(100)
        space.createReserve()
        var status = stat()
        #expect(stat(directory.reserve, &status) == 0)
        #expect(status.st_size == DiskSpace.reserve)
        #expect(Int64(status.st_blocks) * 512 >= DiskSpace.reserve)
        space.releaseReserve()
        #expect(!SystemFile.exists(directory.reserve))
        space.releaseReserve()
    }

    @Test func aPartialReserveIsReplaced() throws {
        try SystemFile.create(directory.reserve, content: Data([1, 2, 3]))
        space(100).createReserve()
        #expect(SystemFile.size(of: directory.reserve) == DiskSpace.reserve)
    }

    @Test func theSpaceOfAMissingReserveIsNotFree() {
        let space = space(10 << 20)
        #expect(space.free == 6 << 20)
        space.createReserve()
        #expect(space.free == 10 << 20)
    }

    @Test func aPersonSeesNoLessThanNoFreeSpace() throws {
        var configuration = LibraryConfiguration(
            directory: LibraryDirectory(path: folder.path + "/library")
        )
        configuration.freeSpace = { _ in 100 }
        let library = try Library(configuration)
        #expect(library.space.free == 100 - DiskSpace.reserve)
        #expect(library.freeBytes == 0)
    }

    @Test func moreThanTheFreeSpaceIsRefusedWithBothSizes() throws {
        let space = space(7_000_000)
        space.createReserve()
        try space.require(7_000_000)
        let error = #expect(throws: DownloadError.self) { try space.require(2_000_000_000) }
        #expect(error?.code == .diskFull)
        #expect(error?.message.contains("needs 2.0 GB more, and 7.0 MB are free in") == true)
    }

    @Test func anUnknownSpaceRefusesNothing() throws {
        try space(nil).require(.max)
        #expect(space(nil).free == nil)
    }

    @Test func theDiskOfThisMachineHasAKnownSpace() throws {
        let free = try #require(SystemFile.freeSpace(directory.media))
        #expect(free > 0)
        #expect(SystemFile.freeSpace(directory.media + "/missing") == nil)
    }
}
