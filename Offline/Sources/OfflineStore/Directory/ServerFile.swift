// SPDX-License-Identifier: Apache-2.0
import Foundation
package import OfflineModel
import TidingsFiles

/// The file with the address and token of a library's running server, for local commands.
package struct ServerFile: Codable, Hashable, Sendable {
    private static let sizeLimit = 4_096

    /// The scheme, host and port, without a token.
    package var address: String
    /// The access token of the server.
    package var token: String
    /// The process identifier of the server.
    package var process: Int32

    /// Describes a running server.
    package init(address: String, token: String, process: Int32) {
        self.address = address
        self.token = token
        self.process = process
    }

    /// Reads the file, or returns nil if the file is missing or incomplete, or if the server has
    /// ended.
    ///
    /// A running server holds a lock on the file. Without the lock, another program may have the
    /// port and must not receive the token.
    package static func read(_ directory: LibraryDirectory) -> ServerFile? {
        guard let file = try? FileDescriptor(directory.serverFile, O_RDONLY | O_NOFOLLOW),
            FileLock.isHeld(file), let data = try? file.content(limit: sizeLimit)
        else { return nil }
        return try? JSONDecoder().decode(ServerFile.self, from: data)
    }

    /// Writes the file atomically, readable by the owner only.
    ///
    /// On a full disk, the file receives the space of the reserve.
    ///
    /// - Returns: The lock that keeps the file valid until its release or the end of the process.
    /// - Throws: `LibraryError` with `.diskFull` or `.cannotOpen`.
    package func write(_ directory: LibraryDirectory) throws -> HeldLock {
        let data = try JSONEncoder().encode(self)
        do throws(SystemError) {
            do throws(SystemError) {
                return try replace(directory.serverFile, with: data)
            } catch {
                guard error.isFullDisk, SystemFile.exists(directory.reserve) else { throw error }
                try DiskSpace.releaseReserve(of: directory)
                return try replace(directory.serverFile, with: data)
            }
        } catch {
            throw LibraryError(error)
        }
    }

    /// Overwrites the file of an ended server.
    ///
    /// On a full disk, another thread could take the block that a removal would free.
    private func replace(_ path: String, with data: Data) throws(SystemError) -> HeldLock {
        let new = path + ".new"
        if SystemFile.exists(path) { try SystemFile.rename(path, to: new) }
        let file = try Self.open(new)
        try file.write(data)
        guard ftruncate(file.number, off_t(data.count)) == 0 else {
            throw SystemError("ftruncate", path: new)
        }
        // The lock follows the content and precedes the rename, so that a locked file always names
        // the running server. A reader may hold the lock for a moment.
        let lock = try FileLock.acquire(new, within: .seconds(5))
        try SystemFile.renameDurably(new, to: path)
        return HeldLock(lock: lock)
    }

    /// Opens the file of an ended server, or creates the file if there is none.
    ///
    /// The method replaces any other kind of file, through which others could read the token.
    private static func open(_ path: String) throws(SystemError) -> FileDescriptor {
        if let file = try? FileDescriptor(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK),
            let status = try? file.status(), status.st_mode & S_IFMT == S_IFREG,
            status.st_nlink == 1, status.st_uid == geteuid(), fchmod(file.number, 0o600) == 0
        {
            return file
        }
        try SystemFile.remove(path)
        return try FileDescriptor(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW)
    }

    /// The lock that keeps a server's file valid until its release.
    package final class HeldLock: Sendable {
        private let lock: FileLock

        fileprivate init(lock: FileLock) {
            self.lock = lock
        }
    }

    /// Removes the file at the end of the server, and ignores a missing file.
    package static func remove(_ directory: LibraryDirectory) {
        _ = try? SystemFile.remove(directory.serverFile)
    }
}
