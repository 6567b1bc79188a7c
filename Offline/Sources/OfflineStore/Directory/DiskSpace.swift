// SPDX-License-Identifier: Apache-2.0
import Foundation
package import OfflineModel
import TidingsFiles
package import TidingsSQLite

/// The space on a library's disk, with a reserve for the registry.
///
/// SQLite cannot commit on a full disk, not even to record that a download is paused. The library
/// therefore keeps a file and deletes the file when the disk is full. All methods are safe from any
/// thread.
package struct DiskSpace: Sendable {
    /// The size of the reserve in bytes.
    static let reserve: Int64 = 4 << 20
    /// The bytes that must be free to continue an item of unknown size.
    package static let least: Int64 = 4 << 20

    private let directory: LibraryDirectory
    private let measure: @Sendable (_ path: String) -> Int64?

    /// Creates the space of a library.
    ///
    /// - Parameters:
    ///   - directory: The library.
    ///   - measure: Returns the free bytes of the disk with a path, or nil if unknown.
    package init(_ directory: LibraryDirectory, measure: @escaping @Sendable (String) -> Int64?) {
        self.directory = directory
        self.measure = measure
    }

    /// The free bytes without the reserve, or nil if unknown.
    ///
    /// The space of a missing reserve counts as used, because the reserve comes first.
    package var free: Int64? {
        // The media may be on another disk than the unfinished downloads.
        let measured = [directory.data, directory.media].compactMap(measure)
        guard let free = measured.min() else { return nil }
        return isReserved ? free : free - Self.reserve
    }

    /// Whether the reserve exists.
    package var isReserved: Bool { SystemFile.size(of: directory.reserve) == Self.reserve }

    /// Creates the reserve, unless the reserve exists or the disk lacks the space.
    package func createReserve() {
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
    package func releaseReserve() {
        try? Self.releaseReserve(of: directory)
    }

    /// Gives the space of a library's reserve back to the disk.
    ///
    /// A child process that another thread is starting may still have the file open, so a removal
    /// alone would free nothing yet.
    static func releaseReserve(of directory: LibraryDirectory) throws(SystemError) {
        if let file = try? FileDescriptor(directory.reserve, O_WRONLY | O_NOFOLLOW | O_NONBLOCK),
            let status = try? file.status(), status.st_mode & S_IFMT == S_IFREG,
            status.st_nlink == 1
        {
            _ = ftruncate(file.number, 0)
        }
        try SystemFile.remove(directory.reserve)
    }

    /// Commits a change to the registry, and on a full disk uses the space of the reserve.
    package func commit<Value>(
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

    /// Commits a change as `commit` does, and throws an error of the registry as an error of the
    /// library.
    package func record<Value>(
        _ change: () throws(SQLiteError) -> Value
    ) throws(LibraryError) -> Value {
        try LibraryError.rethrowing { try commit(change) }
    }

    /// Checks that the disk has space for more bytes.
    ///
    /// - Throws: `DownloadError` with `.diskFull`, before the first of these bytes is written.
    package func require(_ bytes: Int64) throws(DownloadError) {
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
    /// Returns the bytes that an ordinary user can still write on the disk with a path, or nil if
    /// the file system does not report a size.
    package static func freeSpace(_ path: String) -> Int64? {
        var status = statvfs()
        guard statvfs(path, &status) == 0, status.f_blocks > 0 else { return nil }
        return Int64(
            clamping: UInt64(status.f_bavail).multipliedReportingOverflow(
                by: UInt64(status.f_frsize)
            ).partialValue
        )
    }
}
