import Foundation
import Testing
// SPDX-License-Identifier: Apache-2.0
import Tidings
import TidingsHTTP
import TidingsSQLite

@testable import OfflineLibrary

@Suite(.timeLimit(.minutes(5)))
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

    @Test func promise1_anItemIsThereWithItsOptionsAfterReopening() throws {
        var wanted = try request()
        wanted.rendition = .height(720)
        wanted.allowsPrivateAddresses = true
        let item = try registry.insert(wanted, title: "A", at: date)
        let again = try Registry(path: folder.path + "/registry.sqlite")
        #expect(try again.item(item.id) == item)
        #expect(item.rendition == .height(720))
        #expect(item.allowsPrivateAddresses)
        #expect(item.state == .queued)
        #expect(item.createdAt == date)
    }

    @Test func identifiersAreNotUsedAgain() throws {
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
            [.state(.failed), .failure(failure), .file(name: "1.mp4", size: 7), .note("n")]
        )
        #expect(changed?.state == .failed)
        #expect(changed?.failure == failure)
        #expect(changed?.fileName == "1.mp4")
        #expect(changed?.size == 7)
        #expect(changed?.note == "n")
        #expect(try registry.item(item.id) == changed)
    }

    @Test func aChangeOfARemovedItemIsNoError() throws {
        let item = try registry.insert(try request(), title: "A", at: date)
        try registry.remove(item.id)
        #expect(try registry.update(item.id, [.state(.ready)]) == nil)
    }

    @Test func aChangeForAnotherStateIsNotMade() throws {
        let item = try registry.insert(try request(), title: "A", at: date)
        #expect(try registry.update(item.id, in: .failed, [.state(.missing)]) == nil)
        #expect(try registry.item(item.id) == item)
        #expect(try registry.update(item.id, in: .queued, [.state(.missing)])?.state == .missing)
    }

    @Test func anItemWhoseAddressCannotBeReadStaysInTheLibrary() throws {
        let item = try registry.insert(try request(), title: "A", at: date)
        try registry.connection.withLock { connection in
            try connection.execute("UPDATE items SET source = 'gopher:old', rendition = '?'")
        }
        let found = try #require(try registry.items().first)
        #expect(found.id == item.id)
        #expect(found.source == .unreadable("gopher:old"))
        #expect(found.rendition == .best)
    }

    @Test func promise18_findsTheItemOfAnAddressAndRendition() throws {
        let item = try registry.insert(try request(), title: "A", at: date)
        #expect(try registry.item(of: item.source, rendition: .best)?.id == item.id)
        #expect(try registry.item(of: item.source, rendition: .height(720)) == nil)
    }

    @Test func promise3_whatWasUnderWayIsQueuedAgain() throws {
        var ids: [ItemState: ItemID] = [:]
        for state in ItemState.allCases {
            let item = try registry.insert(try request(), title: "A", at: date)
            _ = try registry.update(item.id, [.state(state)])
            ids[state] = item.id
        }
        try registry.requeueInterrupted()
        for (state, id) in ids {
            let expected: ItemState = state.isActive ? .queued : state
            #expect(try registry.item(id)?.state == expected)
        }
        #expect(try registry.queuedItems().count == 5)
    }

    @Test func segmentsComeBackAsTheyWereStored() throws {
        let item = try registry.insert(try request(), title: "A", at: date)
        let key = SegmentKey(
            address: try WebAddress("http://example.org/key"),
            iv: Array(repeating: 7, count: 16)
        )
        let segments = [
            SegmentRecord(
                number: -1,
                address: try WebAddress("http://example.org/map"),
                range: HTTPByteRange(offset: 0, length: 10),
                identity: "m",
                key: nil
            ),
            SegmentRecord(
                number: 0,
                address: try WebAddress("http://example.org/0"),
                range: nil,
                identity: "0",
                key: key
            ),
        ]
        try registry.setSegments(segments, of: item.id)
        try registry.setSize(99, ofSegment: 0, of: item.id)
        var expected = segments
        expected[1].size = 99
        #expect(try registry.segments(of: item.id) == expected)
        try registry.forgetSizes(ofSegments: [0], of: item.id)
        #expect(try registry.segments(of: item.id) == segments)
        try registry.remove(item.id)
        #expect(try registry.segments(of: item.id).isEmpty)
    }

    @Test func transferRecordsComeBackAsTheyWereStored() throws {
        let item = try registry.insert(try request(), title: "A", at: date)
        #expect(try registry.transfer(of: item.id) == TransferRecord())
        let record = TransferRecord(
            validator: "\"v\"",
            totalBytes: 5_000_000_000,
            syncedBytes: 1,
            bootID: "b"
        )
        try registry.setTransfer(record, of: item.id)
        try registry.setSyncedBytes(4_000_000_000, of: item.id)
        var expected = record
        expected.syncedBytes = 4_000_000_000
        #expect(try registry.transfer(of: item.id) == expected)
    }

    private enum Answer: String {
        case unknown
        case granted
    }

    @Test func preferencesAreRememberedAndHaveDefaults() throws {
        let key = PreferenceKey("answer", default: Answer.unknown)
        #expect(try registry.preference(key) == .unknown)
        try registry.setPreference(.granted, for: key)
        let again = try Registry(path: folder.path + "/registry.sqlite")
        #expect(try again.preference(key) == .granted)
    }

    @Test func theRegistryIsForItsOwnerAlone() throws {
        _ = try registry.insert(try request(), title: "A", at: date)
        for name in Disk.names(in: folder.path) {
            var status = stat()
            #expect(stat("\(folder.path)/\(name)", &status) == 0)
            #expect(status.st_mode & 0o777 == 0o600, "\(name)")
        }
    }

    @Test func aRegistryThatIsJustBeingMadeReadsAsEmpty() throws {
        let path = folder.path + "/begun.sqlite"
        _ = try SQLiteConnection(path: path, mode: .readWriteCreate)
        #expect(try Registry(path: path, mode: .readOnly).items().isEmpty)
    }

    @Test func aRegistryFromANewerVersionIsRefusedAndLeftAlone() throws {
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
