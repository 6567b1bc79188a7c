// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineTestFixtures
import Testing
import Tidings
import TidingsFiles
import TidingsHTTP
import TidingsLock
import TidingsSQLite

@testable import OfflineDownloads
@testable import OfflineModel
@testable import OfflineSources
@testable import OfflineStore

@Suite(.timeLimit(.minutes(15)))
struct RegistryTests {
    private let folder: TemporaryFolder
    private let registry: Registry
    private let date = Date(timeIntervalSince1970: 1_000)

    init() throws {
        folder = try TemporaryFolder()
        registry = try Registry(path: folder.path + "/registry.sqlite")
    }

    private func request(_ address: String = "http://example.org/a") throws -> DownloadRequest {
        DownloadRequest(.address(try WebAddress(address)))
    }

    @Test func aLibraryKeepsItsNameAndEachHasAnother() throws {
        let name = try registry.preferences.identity()
        #expect(try registry.preferences.identity() == name)
        #expect(try Registry(path: folder.path + "/registry.sqlite").preferences.identity() == name)
        #expect(try Registry(path: folder.path + "/other.sqlite").preferences.identity() != name)
        #expect(name.count > 6)
    }

    @Test func o1_anItemKeepsItsOptionsAfterReopening() throws {
        var wanted = try request()
        wanted.choice.quality = .height(720)
        wanted.allowsPrivateAddresses = true
        let item = try registry.insert(wanted, title: "A", at: date)
        let again = try Registry(path: folder.path + "/registry.sqlite")
        #expect(try again.items.item(item.id) == item)
        #expect(item.choice.quality == .height(720))
        #expect(item.allowsPrivateAddresses)
        #expect(item.state == .queued)
        #expect(item.createdAt == date)
    }

    @Test func aDurationThatIsNotFiniteIsUnknown() throws {
        let item = try registry.insert(try request(), title: "A", at: date)
        try registry.connection.withLock {
            try $0.execute("UPDATE items SET duration = 9e999")
        }
        #expect(try registry.items.item(item.id) == item)
    }

    @Test func identifiersAreNotReused() throws {
        let first = try registry.insert(try request(), title: "A", at: date)
        try registry.remove(first.id)
        let second = try registry.insert(try request(), title: "A", at: date)
        #expect(second.id != first.id)
    }

    @Test func changesOfOneCallAreCommittedTogether() throws {
        let item = try registry.insert(try request(), title: "A", at: date)
        let failure = ItemFailure(code: "status", message: "404")
        let changed = try registry.update(
            item.id,
            .start,
            with: [.set(\.error, failure), .file(name: "1.mp4", size: 7), .set(\.note, "n")]
        )
        #expect(changed?.state == .fetching)
        #expect(changed?.failure == failure)
        #expect(changed?.fileName == "1.mp4")
        #expect(changed?.size == 7)
        #expect(changed?.note == "n")
        #expect(try registry.items.item(item.id) == changed)
    }

    @Test func aChangeOfARemovedItemIsNoError() throws {
        let item = try registry.insert(try request(), title: "A", at: date)
        try registry.remove(item.id)
        #expect(try registry.update(item.id, .start, with: []) == nil)
    }

    @Test func anIllegalMoveChangesNothing() throws {
        let item = try registry.insert(try request(), title: "A", at: date)
        #expect(try registry.update(item.id, .retry, with: [.set(\.note, "n")]) == nil)
        #expect(try registry.items.item(item.id) == item)
        #expect(try registry.update(item.id, .start, with: [.set(\.note, "n")])?.state == .fetching)
    }

    @Test func anItemWithAnUnreadableAddressStaysInTheLibrary() throws {
        let item = try registry.insert(try request(), title: "A", at: date)
        try registry.connection.withLock { connection in
            try connection.execute("UPDATE items SET source = 'gopher:old', quality = '?'")
        }
        let found = try #require(try registry.items.items().first)
        #expect(found.id == item.id)
        #expect(found.origin == .unreadable("gopher:old"))
        #expect(found.choice.quality == .best)
    }

    @Test func o18_findsTheItemOfAnAddressAndRendition() throws {
        let item = try registry.insert(try request(), title: "A", at: date)
        let known = try registry.insertUnlessKnown(try request(), title: "B", at: date)
        #expect(!known.isNew && known.item == item)
        var other = try request()
        other.choice.quality = .height(720)
        #expect(try registry.insertUnlessKnown(other, title: "B", at: date).isNew)
    }

    @Test func o18_aFileIsTheSameInEachRendition() throws {
        let item = try registry.insert(try request(), title: "A", at: date)
        _ = try registry.update(item.id, nil, with: [.set(\.kind, .file)])
        var other = try request()
        other.choice.quality = .height(720)
        let known = try registry.insertUnlessKnown(other, title: "B", at: date)
        #expect(!known.isNew && known.item.id == item.id)
    }

    @Test func o3_interruptedItemsAreQueuedAgain() throws {
        var ids: [ItemState: ItemID] = [:]
        for state in ItemState.allCases {
            ids[state] = try registry.insert(try request(), state: state, title: "A", at: date).id
        }
        try registry.requeueInterrupted()
        for (state, id) in ids {
            let expected: ItemState = state.isActive ? .queued : state
            #expect(try registry.items.item(id)?.state == expected)
        }
        #expect(try QueueReader(registry: registry).queuedItems().count == 5)
    }

    @Test func partsAreReadAsStored() throws {
        let item = try registry.insert(try request(), title: "A", at: date)
        var records = MediaPlan(tracks: [try makeTrack("v"), try makeTrack("a")]).newRecords()
        try registry.downloads.setParts(records, of: item.id)
        #expect(try registry.downloads.parts(of: item.id) == records)
        #expect(try registry.downloads.partCount(of: item.id) == 4)
        let second = PartID(track: 1, number: 0)
        try registry.downloads.setSize(99, isProven: true, of: second, in: item.id)
        records[2].size = 99
        records[2].isProven = true
        #expect(try registry.downloads.parts(of: item.id) == records)
        try registry.downloads.clearSizes(of: [second], in: item.id)
        records[2].size = nil
        records[2].isProven = false
        #expect(try registry.downloads.parts(of: item.id) == records)
        try registry.remove(item.id)
        #expect(try registry.downloads.parts(of: item.id).isEmpty)
    }

    /// Returns a track with an initialization section and an encrypted part.
    private func makeTrack(_ name: String) throws -> Track {
        let address = try WebAddress("http://example.org/\(name)")
        let key = DecryptionKey(address: address, iv: Array(repeating: 7, count: 16))
        return Track(parts: [
            Part(
                address: address,
                range: HTTPByteRange(offset: 0, length: 10),
                identity: "m",
                isInitialization: true
            ),
            Part(address: address, identity: "0", key: key, isDiscontinuity: true),
        ])
    }

    @Test func transferRecordsAreReadAsStored() throws {
        let item = try registry.insert(try request(), title: "A", at: date)
        #expect(try registry.downloads.transfer(of: item.id) == TransferRecord())
        let record = TransferRecord(
            validator: "\"v\"",
            totalBytes: 5_000_000_000,
            syncedBytes: 1,
            bootID: "b"
        )
        try registry.downloads.setTransfer(record, of: item.id)
        try registry.downloads.setSyncedBytes(4_000_000_000, of: item.id)
        var expected = record
        expected.syncedBytes = 4_000_000_000
        #expect(try registry.downloads.transfer(of: item.id) == expected)
    }

    private enum Answer: String {
        case unknown
        case granted
    }

    @Test func preferencesAreStoredAndHaveDefaults() throws {
        let key = PreferenceKey("answer", default: Answer.unknown)
        #expect(try registry.preferences.preference(key) == .unknown)
        try registry.preferences.setPreference(.granted, for: key)
        let again = try Registry(path: folder.path + "/registry.sqlite")
        #expect(try again.preferences.preference(key) == .granted)
    }

    @Test func onlyTheOwnerCanReadTheRegistry() throws {
        _ = try registry.insert(try request(), title: "A", at: date)
        for name in SystemFile.names(in: folder.path) {
            var status = stat()
            #expect(stat("\(folder.path)/\(name)", &status) == 0)
            #expect(status.st_mode & 0o777 == 0o600, "\(name)")
        }
    }

    @Test func aRegistryWithoutTablesReadsAsEmpty() throws {
        let path = folder.path + "/begun.sqlite"
        _ = try SQLiteConnection(path: path, mode: .readWriteCreate)
        #expect(try Registry(path: path, mode: .readOnly).items.items().isEmpty)
    }

    @Test func aRegistryOfANewerVersionIsRefusedAndUnchanged() throws {
        let path = folder.path + "/newer.sqlite"
        let connection = try SQLiteConnection(path: path, mode: .readWriteCreate)
        try connection.setUserVersion(999)
        for mode in [SQLiteConnection.Mode.readWriteCreate, .readOnly] {
            let error = #expect(throws: SQLiteError.self) { try Registry(path: path, mode: mode) }
            #expect(error?.code == .newerSchema)
        }
        #expect(try connection.userVersion == 999)
    }
}
