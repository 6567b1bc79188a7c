// SPDX-License-Identifier: Apache-2.0
import Foundation
import TidingsFiles

/// The file with the address and token of a library's running server, for local commands.
package struct ServerFile: Codable, Hashable, Sendable {
    private static let sizeLimit = 4_096

    /// Scheme, host and port, without a token.
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

    /// Reads the file; returns nil if it is missing or incomplete, or if its server has ended.
    ///
    /// A running server holds a lock on its file. Without the lock, another program may have the
    /// port and must not receive the token.
    package static func read(_ directory: LibraryDirectory) -> ServerFile? {
        guard let file = try? FileDescriptor(directory.serverFile, O_RDONLY | O_NOFOLLOW),
            FileLock.isHeld(file), let data = try? file.content(limit: sizeLimit)
        else { return nil }
        return try? JSONDecoder().decode(ServerFile.self, from: data)
    }

    /// Writes the file atomically, readable by its owner only.
    ///
    /// - Returns: The lock that keeps the file valid until its release or the end of the process.
    package func write(_ directory: LibraryDirectory) throws -> HeldLock {
        let data = try JSONEncoder().encode(self)
        let path = directory.serverFile + ".new"
        try SystemFile.remove(path)
        // On a full disk, the file of an ended server leaves its block for the new one.
        try SystemFile.remove(directory.serverFile)
        // Locked before the rename, so that no reader finds the file unlocked.
        let lock = try FileLock.create(path)
        try lock.file.write(data)
        try SystemFile.renameDurably(path, to: directory.serverFile)
        return HeldLock(lock: lock)
    }

    /// The lock that keeps a server's file valid until its release.
    package final class HeldLock: Sendable {
        private let lock: FileLock

        fileprivate init(lock: FileLock) {
            self.lock = lock
        }
    }

    /// Removes the file at the end of the server; a missing file is no error.
    package static func remove(_ directory: LibraryDirectory) {
        _ = try? SystemFile.remove(directory.serverFile)
    }
}
