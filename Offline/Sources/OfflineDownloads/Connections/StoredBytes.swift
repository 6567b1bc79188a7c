// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineModel
import OfflineStore
import TidingsFiles

/// The bytes of an unfinished file in an item's work folder.
///
/// A single connection appends to the file `partial`, whose size is the number of valid bytes.
/// Several connections write into the file `spread`. Only the ranges in the file `ranges` are then
/// valid. Without a readable record, only the synced bytes at the start are valid.
struct StoredBytes: Sendable {
    let directory: LibraryDirectory
    let id: ItemID

    var partial: String { directory.partialFile(of: id) }
    var spread: String { directory.spreadFile(of: id) }
    var record: String { directory.ranges(of: id) }

    /// Whether several connections have written the file.
    var isSpread: Bool { SystemFile.exists(spread) }

    /// The number of bytes that the last run has written, in the same boot.
    var count: Int64 {
        guard isSpread else { return SystemFile.size(of: partial) ?? 0 }
        return RangeSet((RangeRecord.lines(at: record) ?? []).map { $0.start..<$0.written }).count
    }

    /// Returns the valid ranges of a spread file.
    ///
    /// After a reboot, only the synced bytes count, because the other bytes may have any content.
    func ranges(_ transfer: TransferRecord, bootID: String?) -> RangeSet {
        guard let total = transfer.totalBytes, let size = SystemFile.size(of: spread) else {
            return RangeSet()
        }
        let isSameBoot = transfer.bootID != nil && transfer.bootID == bootID
        let lines = RangeRecord.lines(at: record) ?? []
        let ends = lines.map { $0.start..<(isSameBoot ? $0.written : $0.synced) }
        // The registry has the synced bytes at the start even if the line in the record is
        // unreadable.
        let ranges = ends + [0..<max(0, transfer.syncedBytes)]
        return RangeSet(ranges.filter { $0.upperBound <= min(total, size) })
    }

    /// Converts a spread file that has only the first bytes, or all bytes, into the form for a
    /// single connection.
    func join(keeping length: Int64) throws {
        let file = try FileDescriptor(spread, O_WRONLY | O_NOFOLLOW)
        guard ftruncate(file.number, off_t(length)) == 0 else {
            throw SystemError("truncate", path: spread)
        }
        try SystemFile.rename(spread, to: partial)
        try SystemFile.remove(record)
    }

    /// Removes all bytes.
    ///
    /// Returns whether any files existed.
    @discardableResult
    func remove() throws(SystemError) -> Bool {
        // A record without a spread file has no meaning.
        let hadSpread = try SystemFile.remove(spread)
        try SystemFile.remove(record)
        let hadPartial = try SystemFile.remove(partial)
        return hadSpread || hadPartial
    }
}
