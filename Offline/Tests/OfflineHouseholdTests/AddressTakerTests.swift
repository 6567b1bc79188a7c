// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineTestFixtures
import Testing
import TidingsTesting

@testable import OfflineDownloads
@testable import OfflineHousehold
@testable import OfflineLibrary
@testable import OfflineModel
@testable import OfflineStore

/// Tests with a library that downloads nothing, because the library is not started.
@Suite struct AddressTakerTests {
    private let folder: TemporaryFolder
    private let library: Library
    private let taker: AddressTaker
    private let address: HandedAddress

    init() throws {
        folder = try TemporaryFolder()
        let directory = LibraryDirectory(path: folder.path + "/library")
        library = try Library(LibraryConfiguration(directory: directory))
        taker = AddressTaker(library)
        address = HandedAddress(DownloadRequest(try ItemOrigin(text: "https://a.example/film")))
    }

    private func taken() throws -> ItemID? {
        try library.journal.preferences.preference(.takenItem).id
    }

    private func items() throws -> [ItemID] {
        try (1...9).compactMap { try library.journal.items.item(ItemID(rawValue: $0))?.id }
    }

    @Test(.timeLimit(.minutes(15))) func anAddressIsTakenUntilItsFirstByteIsKept() async throws {
        let queued = MessageRecorder(DownloadQueued.self, on: library.messages)
        let work = Task { try await taker.take(address) }
        let item = try await queued.next().item
        // The item stays here because a user has paused the download.
        _ = try await library.pause(item.id)
        try await work.value
        #expect(try taken() == nil)
        #expect(try items() == [item.id])
    }

    /// Pauses an item as a full disk does.
    private func fillDisk() async throws {
        let other = DownloadRequest(try ItemOrigin(text: "https://a.example/other"))
        let id = try await library.enqueue(other).item.id
        let failure = ItemFailure(code: "diskFull", message: "The disk is full.")
        let paused = try library.journal.move(id, .pause, with: .set(\.error, failure))
        let item = try #require(paused)
        library.journal.post(
            DownloadPaused(item: item, error: DownloadError(.diskFull, "The disk is full."))
        )
    }

    @Test(.timeLimit(.minutes(15))) func anAddressBehindAnItemOnAFullDiskIsGivenBack() async throws
    {
        let queued = MessageRecorder(DownloadQueued.self, on: library.messages)
        let work = Task { try await taker.take(address) }
        let item = try await queued.next().item
        while try taken() == nil {
            try Task.checkCancellation()
            await Task.yield()
        }
        #expect(taker.hasSpace)
        try await fillDisk()
        await #expect(throws: AddressTaker.Refusal.noSpace) { try await work.value }
        #expect(try library.journal.items.item(item.id) == nil && !taker.hasSpace)
        await #expect(throws: AddressTaker.Refusal.noSpace) { try await taker.take(address) }
        #expect(try items().count == 1)
    }

    @Test func anAddressThatTheLibraryHasIsKeptAtOnce() async throws {
        try await taker.keep(address)
        try await taker.take(address)
        #expect(try items().count == 1)
        #expect(try taken() == nil)
    }

    @Test func anItemWithoutAByteIsGivenBack() async throws {
        let item = try await library.enqueue(try address.request()).item
        try library.journal.preferences.setPreference(TakenItem(item.id), for: .takenItem)
        try FileManager.default.createDirectory(
            atPath: library.directory.work(of: item.id) + "/segments",
            withIntermediateDirectories: true
        )
        try await taker.giveBack()
        #expect(try items().isEmpty)
        #expect(try taken() == nil)
        // Nothing is left to give back.
        try await taker.giveBack()
    }

    @Test func anItemWithAByteStays() async throws {
        let item = try await library.enqueue(try address.request()).item
        try library.journal.preferences.setPreference(TakenItem(item.id), for: .takenItem)
        let folder = library.directory.work(of: item.id) + "/segments"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data([1]).write(to: URL(filePath: folder + "/1"))
        try await taker.giveBack()
        #expect(try items() == [item.id])
        #expect(try taken() == nil)
    }

    @Test func anItemOfThisMachineIsNeverGivenBack() async throws {
        let item = try await library.enqueue(try address.request()).item
        try await taker.giveBack()
        #expect(try items() == [item.id])
    }
}
