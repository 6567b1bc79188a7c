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

    /// Reads the file; nil when there is none or it is not whole.
    package static func read(_ directory: LibraryDirectory) -> ServerFile? {
        guard let data = FileManager.default.contents(atPath: directory.serverFile) else {
            return nil
        }
        return try? JSONDecoder().decode(ServerFile.self, from: data)
    }

    /// Writes the file whole, readable by its owner alone.
    package func write(_ directory: LibraryDirectory) throws {
        let data = try JSONEncoder().encode(self)
        let path = directory.serverFile + ".new"
        try Disk.removeFile(path)
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw DiskError(operation: "open", path: path, number: errno)
        }
        try FileHandle(fileDescriptor: descriptor, closeOnDealloc: true).write(contentsOf: data)
        try Disk.rename(path, to: directory.serverFile)
    }

    /// Takes the file away, when the server ends.
    package static func remove(_ directory: LibraryDirectory) {
        try? Disk.removeFile(directory.serverFile)
    }
}
