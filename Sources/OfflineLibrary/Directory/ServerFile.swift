// SPDX-License-Identifier: Apache-2.0
import Foundation

/// What the commands of one machine need to reach the running server of a library.
package struct ServerFile: Codable, Hashable, Sendable {
    /// Scheme, host and port, without a token.
    package var address: String
    package var token: String
    package var process: Int32

    package init(address: String, token: String, process: Int32) {
        self.address = address
        self.token = token
        self.process = process
    }

    /// Reads the file; nil when there is none, it is not whole, or its server is gone.
    ///
    /// The server's process holds a lock on its file. Without the lock the port may be anybody's by
    /// now, and the token must not be sent there.
    package static func read(_ directory: LibraryDirectory) -> ServerFile? {
        let descriptor = open(directory.serverFile, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return nil }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        guard flock(descriptor, LOCK_SH | LOCK_NB) != 0, errno == EWOULDBLOCK else { return nil }
        guard let data = try? handle.readToEnd() else { return nil }
        return try? JSONDecoder().decode(ServerFile.self, from: data)
    }

    /// Writes the file whole, readable by its owner alone.
    ///
    /// - Returns: What keeps the file valid; it ends with the process at the latest.
    package func write(_ directory: LibraryDirectory) throws -> Hold {
        let data = try JSONEncoder().encode(self)
        let path = directory.serverFile + ".new"
        try Disk.removeFile(path)
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw DiskError(operation: "open", path: path, number: errno)
        }
        let hold = Hold(file: FileHandle(fileDescriptor: descriptor, closeOnDealloc: true))
        // Locked before it has its name, so that no reader is ever first.
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            throw DiskError(operation: "flock", path: path, number: errno)
        }
        try hold.file.write(contentsOf: data)
        try Disk.rename(path, to: directory.serverFile)
        return hold
    }

    /// Keeps a server's file valid for as long as it lives.
    package final class Hold: Sendable {
        fileprivate let file: FileHandle

        fileprivate init(file: FileHandle) {
            self.file = file
        }

        // A child that was forked a moment ago has the descriptor too until it becomes another
        // program: closing ours alone would leave the lock with it.
        deinit { flock(file.fileDescriptor, LOCK_UN) }
    }

    /// Takes the file away, when the server ends.
    package static func remove(_ directory: LibraryDirectory) {
        try? Disk.removeFile(directory.serverFile)
    }
}
