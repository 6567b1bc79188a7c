// SPDX-License-Identifier: Apache-2.0
import COfflineChild
import Glibc
import Tidings

/// An open file descriptor that closes when the last reference is released.
package final class OwnedDescriptor: Sendable {
    /// The number of the descriptor.
    package let raw: Int32

    /// Takes over an open descriptor.
    package init(owning raw: Int32) {
        self.raw = raw
    }

    deinit {
        close(raw)
    }

    /// Opens a regular file for reading, and throws for links, pipes and devices.
    package static func reading(_ path: String) throws(MediaError) -> OwnedDescriptor {
        let raw = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard raw >= 0 else { throw unreadable(path) }
        let descriptor = OwnedDescriptor(owning: raw)
        var status = stat()
        guard fstat(raw, &status) == 0 else { throw unreadable(path) }
        // The check itself sets no error number.
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw unreadable(path, reason: "not a regular file")
        }
        return descriptor
    }

    /// Reads until the buffer is full or the file ends, and returns nil if a read fails.
    private func fill(_ buffer: UnsafeMutableRawBufferPointer) -> Int? {
        var filled = 0
        while filled < buffer.count {
            guard let start = buffer.baseAddress else { break }
            let count = Glibc.read(raw, start + filled, buffer.count - filled)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { return nil }
            guard count > 0 else { break }
            filled += count
        }
        return filled
    }

    /// Returns at most `count` bytes from the current offset.
    package func bytes(_ count: Int, path: String) throws(MediaError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        bytes.removeLast(count - (try read(into: &bytes, path: path)))
        return bytes
    }

    /// Reads into the array from its start and returns the number of bytes read.
    ///
    /// The number is smaller than the array only at the end of the file.
    func read(into bytes: inout [UInt8], path: String) throws(MediaError) -> Int {
        let filled = bytes.withUnsafeMutableBytes { fill($0) }
        guard let filled else { throw Self.unreadable(path) }
        return filled
    }

    /// Sets the offset, counted from the start of the file.
    func seek(to offset: Int) {
        lseek(raw, off_t(offset), SEEK_SET)
    }

    /// Returns the file's length.
    func length(_ path: String) throws(MediaError) -> Int64 {
        var status = stat()
        guard fstat(raw, &status) == 0 else { throw Self.unreadable(path) }
        return Int64(status.st_size)
    }

    /// Accepts a connection of a listening socket.
    ///
    /// - Returns: The descriptor of the connection, which no child inherits, or -1 after an error
    ///   with its number in `errno`.
    package func accept() -> Int32 { offline_child_accept(raw) }

    /// Returns the error.
    ///
    /// Without a reason, the system's last error number gives the reason.
    private static func unreadable(_ path: String, reason: String? = nil) -> MediaError {
        let reason = reason ?? String(cString: strerror(errno))
        let name = path.split(separator: "/").last ?? ""
        return MediaError(
            .cannotRead,
            "The file \(name) cannot be read (\(reason)). Retry the download."
        )
    }
}

/// Both ends of a new pipe, which child processes do not inherit.
package struct Pipe {
    /// The end to read from.
    package let readEnd: OwnedDescriptor
    /// The end to write to.
    package let writeEnd: OwnedDescriptor

    /// Creates a pipe.
    ///
    /// - Throws: `MediaError` if no more files can be opened.
    package init() throws(MediaError) {
        var ends: [Int32] = [-1, -1]
        guard offline_child_make_pipe(&ends) == 0 else {
            throw MediaError(
                .toolMissing,
                "No more files can be opened (\(String(cString: strerror(errno)))). "
                    + "Close other programs or raise the limit."
            )
        }
        readEnd = OwnedDescriptor(owning: ends[0])
        writeEnd = OwnedDescriptor(owning: ends[1])
    }
}
