// SPDX-License-Identifier: Apache-2.0
import Foundation
import TidingsFiles
import TidingsSQLite

/// The space on a library's disk, with a reserve for the registry.
///
/// SQLite cannot commit on a full disk, not even that a download is paused. The library therefore
/// keeps a file whose space it gives back then. All methods are safe from any thread.
struct DiskSpace: Sendable {
    /// The size of the reserve in bytes.
    static let reserve: Int64 = 4 << 20
    /// The bytes that an item of unknown size needs to be continued.
    static let least: Int64 = 4 << 20

    private let directory: LibraryDirectory
    private let measure: @Sendable (_ path: String) -> Int64?

    /// Creates the space of a library.
    ///
    /// - Parameters:
    ///   - directory: The library.
    ///   - measure: Returns the free bytes of the disk with a path; nil if unknown.
    init(_ directory: LibraryDirectory, measure: @escaping @Sendable (String) -> Int64?) {
        self.directory = directory
        self.measure = measure
    }

    /// The free bytes without those of the reserve; nil if unknown.
    ///
    /// The space of a missing reserve counts as used, because the reserve comes first.
    var free: Int64? {
        // The media may be on another disk than the unfinished downloads.
        let measured = [directory.data, directory.media].compactMap(measure)
        guard let free = measured.min() else { return nil }
        return isReserved ? free : free - Self.reserve
    }

    /// Whether the reserve exists.
    var isReserved: Bool { SystemFile.size(of: directory.reserve) == Self.reserve }

    /// Creates the reserve, unless it exists or the disk has no space for it.
    func createReserve() {
        guard !isReserved else { return }
        do {
            try SystemFile.remove(directory.reserve)
            let file = try FileDescriptor(directory.reserve, O_WRONLY | O_CREAT | O_EXCL)
            guard posix_fallocate(file.number, 0, off_t(Self.reserve)) == 0 else {
                releaseReserve()
                return
            }
            try file.sync()
        } catch {
            releaseReserve()
        }
    }

    /// Gives the space of the reserve back to the disk.
    func releaseReserve() {
        _ = try? SystemFile.remove(directory.reserve)
    }

    /// Commits a change to the registry; on a full disk, with the space of the reserve.
    func commit<Value>(
        _ change: () throws(SQLiteError) -> Value
    ) throws(SQLiteError) -> Value {
        do {
            return try change()
        } catch {
            guard error.code == .full, isReserved else { throw error }
            releaseReserve()
            return try change()
        }
    }

    /// Checks that the disk has space for more bytes.
    ///
    /// - Throws: `DownloadError` with `.diskFull`, before the first of these bytes is written.
    func require(_ bytes: Int64) throws(DownloadError) {
        guard let free, bytes > free else { return }
        throw DownloadError(
            .diskFull,
            "The disk is full: this download needs \(ByteCount.text(bytes)) more, and "
                + "\(ByteCount.text(max(0, free))) are free in \(directory.media). Free some space, "
                + "and offline continues the download."
        )
    }
}

extension SystemFile {
    /// Returns the bytes that an ordinary user can still write on the disk with a path; nil if the
    /// file system does not know its size.
    static func freeSpace(_ path: String) -> Int64? {
        var status = statvfs()
        guard statvfs(path, &status) == 0, status.f_blocks > 0 else { return nil }
        return Int64(
            clamping: UInt64(status.f_bavail).multipliedReportingOverflow(
                by: UInt64(status.f_frsize)
            ).partialValue
        )
    }
}
