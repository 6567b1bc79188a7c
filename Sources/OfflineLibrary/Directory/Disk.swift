// SPDX-License-Identifier: Apache-2.0
import Foundation

/// File operations whose result survives a power cut where they say so.
package enum Disk {
    /// Makes a folder and those above it, for its owner alone; an existing one is left as it is.
    package static func makeFolder(_ path: String) throws(DiskError) {
        if mkdir(path, 0o700) == 0 || errno == EEXIST { return }
        let number = errno
        let parent = (path as NSString).deletingLastPathComponent
        guard number == ENOENT, !parent.isEmpty, parent != path else {
            throw DiskError(operation: "mkdir", path: path, number: number)
        }
        try makeFolder(parent)
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else {
            throw DiskError(operation: "mkdir", path: path, number: errno)
        }
    }

    /// The size of a regular file; nil when there is none of that name.
    package static func size(of path: String) -> Int64? {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return Int64(status.st_size)
    }

    /// Whether there is anything of that name, a link that leads nowhere too.
    package static func exists(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }

    /// The names in a folder, in order; none when there is no such folder.
    package static func names(in path: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
    }

    /// Gives a file its final name, for good when this returns.
    package static func rename(_ path: String, to target: String) throws(DiskError) {
        guard Foundation.rename(path, target) == 0 else {
            throw DiskError(operation: "rename", path: path, number: errno)
        }
        try syncFolder((target as NSString).deletingLastPathComponent)
    }

    /// Puts a folder's names onto the disk.
    package static func syncFolder(_ path: String) throws(DiskError) {
        try sync(path, flags: O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    }

    /// Puts a file's content onto the disk.
    package static func syncFile(_ path: String) throws(DiskError) {
        try sync(path, flags: O_RDONLY | O_CLOEXEC)
    }

    /// Removes a file; one that is not there is no error.
    package static func removeFile(_ path: String) throws(DiskError) {
        guard unlink(path) == 0 || errno == ENOENT else {
            throw DiskError(operation: "unlink", path: path, number: errno)
        }
    }

    /// Removes a folder with all that is in it; links in it are removed, not followed.
    package static func removeFolder(_ path: String) {
        try? FileManager.default.removeItem(atPath: path)
    }

    private static func sync(_ path: String, flags: Int32) throws(DiskError) {
        let descriptor = open(path, flags)
        guard descriptor >= 0 else {
            throw DiskError(operation: "open", path: path, number: errno)
        }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else {
            throw DiskError(operation: "fsync", path: path, number: errno)
        }
    }
}
