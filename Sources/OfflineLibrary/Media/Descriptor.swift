import CTidingsChild
import Glibc
// SPDX-License-Identifier: Apache-2.0
import Tidings

/// An open file descriptor, closed when the last reference is gone.
final class Descriptor {
    let raw: Int32

    init(owning raw: Int32) {
        self.raw = raw
    }

    deinit {
        close(raw)
    }

    /// Opens a regular file for reading; a link, a pipe or a device is refused.
    static func reading(_ path: String) throws(MediaError) -> Descriptor {
        let raw = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard raw >= 0 else { throw unreadable(path) }
        let descriptor = Descriptor(owning: raw)
        var status = stat()
        guard fstat(raw, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw unreadable(path)
        }
        return descriptor
    }

    /// Returns nil if the file cannot be read.
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

    /// Returns the bytes from where it stands, at most `count`.
    func bytes(_ count: Int, path: String) throws(MediaError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        bytes.removeLast(count - (try read(into: &bytes, path: path)))
        return bytes
    }

    /// Fills the array from its start until the file ends and returns the count.
    func read(into bytes: inout [UInt8], path: String) throws(MediaError) -> Int {
        let filled = bytes.withUnsafeMutableBytes { fill($0) }
        guard let filled else { throw Self.unreadable(path) }
        return filled
    }

    /// Goes to a place counted from the file's start.
    func seek(to offset: Int) {
        lseek(raw, off_t(offset), SEEK_SET)
    }

    /// Returns the file's length.
    func length(_ path: String) throws(MediaError) -> Int64 {
        var status = stat()
        guard fstat(raw, &status) == 0 else { throw Self.unreadable(path) }
        return Int64(status.st_size)
    }

    private static func unreadable(_ path: String) -> MediaError {
        let reason = String(cString: strerror(errno))
        let name = path.split(separator: "/").last ?? ""
        return MediaError(
            .cannotRead,
            "The file \(name) cannot be read (\(reason)); retry the download."
        )
    }
}

/// Both ends of a new pipe, closed in other programs.
struct Pipe {
    let readEnd: Descriptor
    let writeEnd: Descriptor

    init() throws(MediaError) {
        var ends: [Int32] = [-1, -1]
        guard tidings_child_make_pipe(&ends) == 0 else {
            throw MediaError(
                .failed,
                "No more files can be opened (\(String(cString: strerror(errno)))); "
                    + "close other programs or raise the limit."
            )
        }
        readEnd = Descriptor(owning: ends[0])
        writeEnd = Descriptor(owning: ends[1])
    }
}
