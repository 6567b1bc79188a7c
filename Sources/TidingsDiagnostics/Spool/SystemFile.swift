// SPDX-License-Identifier: Apache-2.0
import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A call that the system refused.
struct SystemError: Error, CustomStringConvertible {
    let operation: String
    let number: CInt

    init(_ operation: String) {
        self.operation = operation
        number = errno
    }

    var description: String { "\(operation): \(String(cString: strerror(number)))" }
}

/// Files with the rights and the guarantees that reports need; Foundation makes files readable
/// for everybody first and asks nothing of the disk.
enum SystemFile {
    struct Facts {
        let size: Int
        let modified: Date
    }

    /// Makes a folder, and those above it, for its owner alone.
    static func makeFolder(_ path: String) throws(SystemError) {
        if mkdir(path, 0o700) == 0 { return }
        if errno == ENOENT, let slash = path.lastIndex(of: "/"), slash != path.startIndex {
            try makeFolder(String(path[..<slash]))
            if mkdir(path, 0o700) == 0 { return }
        }
        let failure = SystemError("mkdir")
        guard failure.number == EEXIST else { throw failure }
        guard access(path, R_OK | W_OK | X_OK) == 0 else { throw SystemError("access") }
    }

    /// Writes a new file that only its owner can read, and waits for the disk.
    static func write(_ data: Data, to path: String) throws(SystemError) {
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { throw SystemError("open") }
        defer { close(file) }
        try write(data, to: file)
        guard fsync(file) == 0 else { throw SystemError("fsync") }
    }

    /// Writes everything to a file that is open.
    static func write(_ data: Data, to file: CInt) throws(SystemError) {
        var rest = data[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { bytes in
                #if canImport(Darwin)
                Darwin.write(file, bytes.baseAddress, bytes.count)
                #elseif canImport(Musl)
                Musl.write(file, bytes.baseAddress, bytes.count)
                #else
                Glibc.write(file, bytes.baseAddress, bytes.count)
                #endif
            }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if count < 0, errno != EINTR {
                throw SystemError("write")
            }
        }
    }

    static func rename(_ path: String, to new: String, in folder: String) throws(SystemError) {
        #if canImport(Darwin)
        let result = Darwin.rename(path, new)
        #elseif canImport(Musl)
        let result = Musl.rename(path, new)
        #else
        let result = Glibc.rename(path, new)
        #endif
        guard result == 0 else { throw SystemError("rename") }
        let directory = open(folder, O_RDONLY | O_CLOEXEC)
        guard directory >= 0 else { return }
        // The report is there; that its name may not survive a power cut is no failure.
        fsync(directory)
        close(directory)
    }

    /// Deletes a file and returns whether it was there.
    @discardableResult
    static func remove(_ path: String) throws(SystemError) -> Bool {
        if unlink(path) == 0 { return true }
        guard errno == ENOENT else { throw SystemError("unlink") }
        return false
    }

    /// The size and date of a regular file, nil for anything else.
    static func facts(of path: String) -> Facts? {
        var status = stat()
        return lstat(path, &status) == 0 ? Facts(status) : nil
    }
}

extension SystemFile.Facts {
    init?(_ status: stat) {
        guard status.st_mode & S_IFMT == S_IFREG else { return nil }
        #if canImport(Darwin)
        let seconds = status.st_mtimespec.tv_sec
        #else
        let seconds = status.st_mtim.tv_sec
        #endif
        self.init(
            size: Int(status.st_size),
            modified: Date(timeIntervalSince1970: TimeInterval(seconds))
        )
    }
}
