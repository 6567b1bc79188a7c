// SPDX-License-Identifier: Apache-2.0
import Foundation

extension SystemFile {
    /// Moves a file to an unused name, possibly on another disk, and returns after both disks have
    /// recorded the move.
    ///
    /// A kill leaves the file under the old name, the new name, or both.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - target: The new path.
    ///   - isWanted: Called between two pieces of a copy to another disk.
    /// - Returns: Whether the file moved. False means that another file has the name.
    /// - Throws: `SystemError`, with the number `ECANCELED` if the file is not wanted any more.
    package static func move(
        _ path: String,
        to target: String,
        while isWanted: () -> Bool = { true }
    ) throws(SystemError) -> Bool {
        if link(path, target) == 0 { return try end(path, target) }
        switch errno {
        case EEXIST: return false
        case EXDEV:
            guard try copy(path, to: target, while: isWanted) else { return false }
            try remove(path)
            return true
        // Some file systems do not support a second name for a file.
        default: break
        }
        guard !exists(target) else { return false }
        try renameDurably(path, to: target)
        return true
    }

    /// Copies a file to an unused name, which appears when the disk has the whole content.
    ///
    /// A kill leaves a hidden file beside the target. A later copy with the same ending replaces
    /// the hidden file.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - target: The path of the copy.
    ///   - ending: The end of the hidden name, which no other process may use at the same time.
    ///   - isWanted: Called between two pieces.
    /// - Returns: Whether the file was copied. False means that another file has the name.
    /// - Throws: `SystemError`, for example for a disk without space for the file. The number is
    ///   `ECANCELED` if the copy is not wanted any more.
    package static func copy(
        _ path: String,
        to target: String,
        hiddenEnding ending: String = "part",
        while isWanted: () -> Bool = { true }
    ) throws(SystemError) -> Bool {
        guard !exists(target) else { return false }
        let folder = (target as NSString).deletingLastPathComponent
        let hidden = "\(folder)/.\((target as NSString).lastPathComponent).\(ending)"
        do throws(SystemError) {
            let file = try FileDescriptor(path, O_RDONLY | O_NOFOLLOW)
            var disk = statvfs()
            if fstatvfs(try FileDescriptor(folder, O_RDONLY | O_DIRECTORY).number, &disk) == 0,
                UInt64(disk.f_bavail) * UInt64(disk.f_frsize) < UInt64(try file.status().st_size)
            {
                throw SystemError("write", path: target, number: ENOSPC)
            }
            let flags = O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW
            let copy = try FileDescriptor(hidden, flags, FileDescriptor.ordinaryRights)
            try copy.append(file, while: isWanted)
            try copy.sync()
            guard try move(hidden, to: target) else {
                try remove(hidden)
                return false
            }
            return true
        } catch {
            _ = try? remove(hidden)
            throw error
        }
    }

    /// Removes a folder without content, or returns false if the folder has content.
    package static func removeEmptyFolder(_ path: String) -> Bool { rmdir(path) == 0 }

    private static func end(_ path: String, _ target: String) throws(SystemError) -> Bool {
        let folder = (target as NSString).deletingLastPathComponent
        try FileDescriptor(folder.isEmpty ? "." : folder, O_RDONLY | O_DIRECTORY).sync()
        try remove(path)
        return true
    }
}

extension FileDescriptor {
    /// Appends the content of another file.
    fileprivate func append(
        _ source: FileDescriptor,
        while isWanted: () -> Bool
    ) throws(SystemError) {
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        var offset: off_t = 0
        while true {
            let count = buffer.withUnsafeMutableBytes {
                pread(source.number, $0.baseAddress, $0.count, offset)
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw SystemError("read", path: source.path) }
            if count == 0 { return }
            guard isWanted() else { throw SystemError("write", path: path, number: ECANCELED) }
            try write(buffer[..<count])
            offset += off_t(count)
        }
    }
}
