// SPDX-License-Identifier: Apache-2.0
package import Foundation

/// An open file that closes when the last reference is released.
package final class FileDescriptor: Sendable {
    /// The rights of a file that any program may open, as far as the process's mask permits.
    package static let ordinaryRights: mode_t = 0o666

    /// The system's number for the open file.
    package let number: CInt
    /// The path that was opened.
    package let path: String

    /// Opens a file that no other program inherits.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - flags: The flags of `open`. `O_CLOEXEC` is added.
    ///   - rights: The rights of a file that the call creates.
    /// - Throws: `SystemError`.
    package init(_ path: String, _ flags: CInt, _ rights: mode_t = 0o600) throws(SystemError) {
        let number = open(path, flags | O_CLOEXEC, rights)
        guard number >= 0 else { throw SystemError("open", path: path) }
        self.number = number
        self.path = path
    }

    deinit { close(number) }

    /// The kind, size, owner and dates of the file.
    package func status() throws(SystemError) -> stat {
        var status = stat()
        guard fstat(number, &status) == 0 else { throw SystemError("fstat", path: path) }
        return status
    }

    /// Reads the file from the start, and stops after more than `limit` bytes.
    package func content(limit: Int = .max) throws(SystemError) -> Data {
        var content = Data()
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while content.count <= limit {
            let offset = off_t(content.count)
            let count = buffer.withUnsafeMutableBytes {
                pread(number, $0.baseAddress, $0.count, offset)
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw SystemError("read", path: path) }
            if count == 0 { break }
            content.append(contentsOf: buffer[..<count])
        }
        return content
    }

    /// Writes all of the bytes at the position after the last write.
    package func write<Content: ContiguousBytes & Collection>(
        _ content: Content
    ) throws(SystemError) where Content.SubSequence: ContiguousBytes {
        var rest = content[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { systemWrite(number, $0) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw SystemError("write", path: path) }
            rest = rest.dropFirst(count)
        }
    }

    /// Writes all of the bytes at an offset.
    ///
    /// The position for `write` without an offset does not change.
    package func write(
        _ bytes: UnsafeRawBufferPointer,
        at offset: Int64
    ) throws(SystemError) {
        var done = 0
        while done < bytes.count {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
            let count = pwrite(number, rest.baseAddress, rest.count, off_t(offset) + off_t(done))
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw SystemError("write", path: path) }
            done += count
        }
    }

    /// Returns after the disk has the content.
    package func sync() throws(SystemError) {
        guard fsync(number) == 0 else { throw SystemError("fsync", path: path) }
    }
}
