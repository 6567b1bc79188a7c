// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineTestFixtures
import Testing
import TidingsFiles

@testable import OfflineDownloads
@testable import OfflineModel
@testable import OfflineStore

@Suite struct PartialFileTests {
    private static let size: Int64 = 4 << 20
    private let folder: TemporaryFolder
    private let stored: StoredBytes

    init() throws {
        folder = try TemporaryFolder()
        let directory = LibraryDirectory(path: folder.path)
        let id = ItemID(rawValue: 7)
        try SystemFile.makeFolder(directory.work(of: id))
        stored = StoredBytes(directory: directory, id: id)
    }

    /// Returns the registry's record of a file with a number of synced bytes at the start.
    private func transfer(synced: Int64 = 0, boot: String? = "one") -> TransferRecord {
        TransferRecord(
            validator: "\"v\"",
            totalBytes: Self.size,
            syncedBytes: synced,
            bootID: boot
        )
    }

    private func append(_ count: Int, of byte: UInt8, by number: Int, to file: PartialFile) throws {
        let bytes = [UInt8](repeating: byte, count: count)
        _ = try bytes.withUnsafeBytes { try file.append($0, by: number) }
    }

    /// Returns a spread file with bytes of two connections, of which 1,000 bytes each are synced.
    private func spreadFile() throws -> (PartialFile, second: Int64) {
        let file = try PartialFile(stored, keeping: 0)
        try append(1_000, of: 1, by: 0, to: file)
        try file.spread(size: Self.size)
        let second = try #require(try file.beginNext())
        try append(1_000, of: 2, by: second.connection, to: file)
        #expect(try file.sync() == 1_000)
        try append(500, of: 1, by: 0, to: file)
        try append(700, of: 2, by: second.connection, to: file)
        return (file, second.range.lowerBound)
    }

    @Test func oneConnectionLeavesOnlyAFileThatGrows() throws {
        let file = try PartialFile(stored, keeping: 0)
        try append(1_000, of: 1, by: 0, to: file)
        #expect(file.length == 1_000)
        #expect(SystemFile.names(in: stored.directory.work(of: stored.id)) == ["partial"])
        #expect(!stored.isSpread)
        #expect(stored.count == 1_000)
    }

    @Test func o24_aKillKeepsTheWrittenBytesOfEachConnection() throws {
        let (_, second) = try spreadFile()
        #expect(SystemFile.names(in: stored.directory.work(of: stored.id)) == ["ranges", "spread"])
        let ranges = stored.ranges(transfer(), bootID: "one")
        #expect(ranges.ranges == [0..<1_500, second..<second + 1_700])
        #expect(stored.count == 3_200)
        #expect(ResumePlan(record: transfer(), ranges: ranges)?.offset == 1_500)
    }

    @Test func o24_aConnectionWithoutBytesInvalidatesNoOther() throws {
        let file = try PartialFile(stored, keeping: 0)
        try append(1_000, of: 1, by: 0, to: file)
        try file.spread(size: Self.size)
        let second = try #require(try file.beginNext())
        // The range starts beyond the end of the file.
        #expect(second.range.lowerBound > SystemFile.size(of: stored.spread) ?? 0)
        #expect(stored.ranges(transfer(), bootID: "one").ranges == [0..<1_000])
    }

    @Test(arguments: [("one", "two"), (nil, "two"), ("one", nil), (nil, nil)])
    func o24_aRebootKeepsOnlyTheSyncedBytesOfEachConnection(
        boot: String?,
        now: String?
    ) throws {
        let (_, second) = try spreadFile()
        let ranges = stored.ranges(transfer(boot: boot), bootID: now)
        #expect(ranges.ranges == [0..<1_000, second..<second + 1_000])
    }

    @Test func o24_aReopenedFileContinuesWithItsFirstGap() throws {
        let second = try spreadFile().second
        let ranges = stored.ranges(transfer(), bootID: "one")
        let file = try PartialFile(stored, keeping: ranges, size: Self.size)
        #expect(file.first.range == 1_500..<second)
        try append(100, of: 3, by: file.first.connection, to: file)
        let next = try #require(try file.beginNext())
        #expect(next.range == second + 1_700..<Self.size)
        try append(100, of: 4, by: next.connection, to: file)
        #expect(
            stored.ranges(transfer(), bootID: "one").ranges == [
                0..<1_600, second..<second + 1_800,
            ]
        )
        // The reopened file was synced before the ranges were recorded.
        #expect(
            stored.ranges(transfer(), bootID: "two").ranges == [
                0..<1_500, second..<second + 1_700,
            ]
        )
    }

    @Test func aCompleteFileGetsTheFormOfOneConnection() throws {
        let (file, second) = try spreadFile()
        try append(Int(second), of: 1, by: 0, to: file)
        #expect(!file.isComplete)
        try append(Int(Self.size - second), of: 2, by: 1, to: file)
        #expect(file.isComplete)
        #expect(try file.sync() == Self.size)
        try file.join()
        #expect(SystemFile.names(in: stored.directory.work(of: stored.id)) == ["partial"])
        let bytes = try Data(contentsOf: URL(filePath: stored.partial))
        #expect(bytes.prefix(Int(second)).allSatisfy { $0 == 1 })
        #expect(bytes.dropFirst(Int(second)).allSatisfy { $0 == 2 })
        #expect(Int64(bytes.count) == Self.size)
    }

    @Test func o24_aRecordWithoutItsFileMeansNothing() throws {
        _ = try spreadFile()
        try SystemFile.rename(stored.spread, to: stored.partial)
        #expect(!stored.isSpread)
        try stored.remove()
        #expect(SystemFile.names(in: stored.directory.work(of: stored.id)).isEmpty)
    }

    @Test func o24_withoutItsRecordOnlyTheSyncedBeginningOfAFileCounts() throws {
        _ = try spreadFile()
        try SystemFile.remove(stored.record)
        let ranges = stored.ranges(transfer(synced: 1_000), bootID: "one")
        #expect(ranges.ranges == [0..<1_000])
        #expect(ResumePlan(record: transfer(), ranges: ranges) == nil)
        try stored.join(keeping: ranges.prefix)
        #expect(SystemFile.size(of: stored.partial) == 1_000)
        #expect(stored.ranges(TransferRecord(), bootID: "one").ranges.isEmpty)
    }

    @Test(arguments: ["beyond", "text", "cut", "empty", "link", "zeros"])
    func o24_aDamagedRecordNeverMakesBytesValid(damage: String) throws {
        _ = try spreadFile()
        let path = stored.record
        var bytes = try Data(contentsOf: URL(filePath: path))
        switch damage {
        case "beyond": bytes[21] = UInt8(ascii: "9")
        case "text": bytes.replaceSubrange(25..<35, with: Data("-123456789".utf8))
        case "cut": bytes = bytes.prefix(100)
        case "zeros": bytes = Data(count: bytes.count)
        default: bytes = Data()
        }
        try SystemFile.remove(path)
        if damage == "link" {
            try FileManager.default.createSymbolicLink(
                atPath: path,
                withDestinationPath: "/dev/zero"
            )
        } else {
            try SystemFile.create(path, content: bytes)
        }
        let ranges = stored.ranges(transfer(synced: 1_000), bootID: "one")
        let second = Self.size - (Self.size - 1_000) / 2
        let written = RangeSet([0..<1_500, second..<second + 1_700])
        for range in ranges.ranges {
            #expect(written.ranges.contains { $0.clamped(to: range) == range })
        }
    }

    @Test func bytesBeyondTheSizeAreDropped() throws {
        let file = try PartialFile(stored, keeping: 0)
        try append(1_000, of: 1, by: 0, to: file)
        try file.spread(size: 1_200)
        let bytes = [UInt8](repeating: 1, count: 500)
        let (count, isSurplus) = try bytes.withUnsafeBytes { try file.append($0, by: 0) }
        #expect(count == 200)
        #expect(isSurplus)
        #expect(file.isComplete)
        #expect(SystemFile.size(of: stored.spread) == 1_200)
    }
}
