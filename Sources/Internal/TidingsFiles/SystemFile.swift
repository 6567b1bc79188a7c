// SPDX-License-Identifier: Apache-2.0
package import Foundation

/// File operations with rights and guarantees that Foundation does not give.
///
/// Only the owner can read new files and folders, unless the caller gives other rights. Links are
/// not followed, and changes reach the disk.
package enum SystemFile {
    /// Creates a folder and the missing parents, all with the same rights.
    ///
    /// An existing folder stays unchanged, but must be readable and writable.
    package static func makeFolder(
        _ path: String,
        rights: mode_t = 0o700
    ) throws(SystemError) {
        if path.isEmpty || mkdir(path, rights) == 0 { return }
        if errno == ENOENT {
            let parent = (path as NSString).deletingLastPathComponent
            if parent != path { try makeFolder(parent, rights: rights) }
            if mkdir(path, rights) == 0 { return }
        }
        guard errno == EEXIST else { throw SystemError("mkdir", path: path) }
        guard access(path, R_OK | W_OK | X_OK) == 0 else {
            throw SystemError("access", path: path)
        }
    }

    /// Writes a new file and returns after the file is on the disk.
    package static func create(
        _ path: String,
        content: Data,
        rights: mode_t = 0o600
    ) throws(SystemError) {
        let file = try FileDescriptor(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, rights)
        try file.write(content)
        try file.sync()
    }

    /// Writes all of the data to an open file.
    package static func write(_ data: Data, to file: CInt) throws(SystemError) {
        var rest = data[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { systemWrite(file, $0) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw SystemError("write") }
            rest = rest.dropFirst(count)
        }
    }

    /// Appends a line, whole or not at all, and returns after the disk has the line.
    ///
    /// The call blocks for other writers of the file, at most for the limit.
    package static func append(
        _ line: Data,
        to path: String,
        within limit: Duration
    ) throws(SystemError) {
        let lock = try FileLock.acquire(path, within: limit)
        defer { lock.release() }
        let file = lock.file
        let size = lseek(file.number, 0, SEEK_END)
        guard size >= 0 else { throw SystemError("lseek", path: path) }
        do throws(SystemError) {
            // A killed process may have left a part of a line.
            var last: UInt8 = 10
            if size > 0, pread(file.number, &last, 1, size - 1) != 1 {
                throw SystemError("read", path: path)
            }
            try file.write((last == 10 ? Data() : Data([10])) + line + Data([10]))
            try file.sync()
        } catch {
            ftruncate(file.number, size)
            throw error
        }
    }

    /// Renames a file.
    ///
    /// The new name survives a power cut if the disk supports this.
    package static func rename(_ path: String, to target: String) throws(SystemError) {
        guard systemRename(path, target) == 0 else { throw SystemError("rename", path: path) }
        syncFolder((target as NSString).deletingLastPathComponent)
    }

    /// Renames a file and returns only if the new name survives a power cut.
    package static func renameDurably(_ path: String, to target: String) throws(SystemError) {
        guard systemRename(path, target) == 0 else { throw SystemError("rename", path: path) }
        let folder = (target as NSString).deletingLastPathComponent
        try FileDescriptor(folder.isEmpty ? "." : folder, O_RDONLY | O_DIRECTORY).sync()
    }

    /// Writes a folder's names to the disk if the folder supports this.
    package static func syncFolder(_ path: String) {
        try? FileDescriptor(path.isEmpty ? "." : path, O_RDONLY | O_DIRECTORY).sync()
    }

    /// Writes a file's content to the disk.
    package static func sync(_ path: String) throws(SystemError) {
        try FileDescriptor(path, O_RDONLY).sync()
    }

    /// Deletes a file and returns whether the file existed.
    @discardableResult
    package static func remove(_ path: String) throws(SystemError) -> Bool {
        if unlink(path) == 0 { return true }
        let failure = SystemError("unlink", path: path)
        guard failure.isMissingFile else { throw failure }
        return false
    }

    /// Deletes a folder and the content.
    ///
    /// Links in the folder are deleted, not followed.
    package static func removeFolder(_ path: String) {
        try? FileManager.default.removeItem(atPath: path)
    }
}
