// SPDX-License-Identifier: Apache-2.0
package import Foundation

extension SystemFile {
    /// The result of reading a file.
    package enum Content: Equatable, Sendable {
        case whole(Data)
        /// The file does not exist any more.
        case missing
        /// A later attempt may succeed, because this process or the system has no room for the file
        /// now.
        case unavailable
        /// The file belongs to another user, who may have written anything.
        case foreign
        /// No attempt will succeed, because the path leads to a link or a folder, or the file is
        /// too large or not permitted.
        case unusable
    }

    /// Reads a regular file of this user that is not larger than `limit`, without following a link.
    package static func content(of path: String, limit: Int) -> Content {
        let file: FileDescriptor
        do {
            file = try FileDescriptor(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
        } catch {
            return content(of: path, after: error)
        }
        guard let status = try? file.status() else { return .unusable }
        guard status.st_uid == geteuid() else { return .foreign }
        guard let facts = Facts(status), facts.size <= limit else { return .unusable }
        return bytes(of: file.number, count: facts.size).map(Content.whole) ?? .unusable
    }

    private static func content(of path: String, after error: SystemError) -> Content {
        switch error.number {
        case ENOENT: .missing
        case EMFILE, ENFILE, ENOMEM, EINTR: .unavailable
        case EACCES, EPERM:
            owner(of: path).map { $0 != geteuid() } == true ? .foreign : .unusable
        default: .unusable
        }
    }

    /// Reads `count` bytes in one call, or fewer at the file's end.
    ///
    /// Foundation would read page by page.
    private static func bytes(of file: CInt, from offset: Int64 = 0, count: Int) -> Data? {
        var data = Data(count: count)
        var filled = 0
        while filled < count {
            let result = data.withUnsafeMutableBytes { buffer in
                pread(
                    file,
                    buffer.baseAddress?.advanced(by: filled),
                    count - filled,
                    off_t(offset) + off_t(filled)
                )
            }
            if result < 0, errno == EINTR { continue }
            guard result >= 0 else { return nil }
            if result == 0 { break }
            filled += result
        }
        return data.prefix(filled)
    }

    /// Returns whether two paths lead to regular files with the same bytes.
    package static func haveSameContent(
        _ path: String,
        _ other: String
    ) throws(SystemError) -> Bool {
        guard let size = size(of: path), size == self.size(of: other) else { return false }
        let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK
        let files = (try FileDescriptor(path, flags), try FileDescriptor(other, flags))
        var offset: Int64 = 0
        while offset < size {
            let count = Int(min(1 << 20, size - offset))
            guard let part = bytes(of: files.0.number, from: offset, count: count),
                part == bytes(of: files.1.number, from: offset, count: count)
            else { return false }
            // A file that became shorter during the comparison yields fewer bytes.
            guard part.count == count else { return false }
            offset += Int64(count)
        }
        return true
    }

    /// The bytes of a regular file of this user that is not larger than `limit`, or nil otherwise.
    package static func read(_ path: String, limit: Int) -> Data? {
        if case .whole(let data) = content(of: path, limit: limit) { data } else { nil }
    }

    /// The text of a file that the system generates during the read, or an empty text on failure.
    ///
    /// Such a file has no size, and one read does not return the whole text.
    package static func list(_ path: String) -> String {
        guard let file = try? FileDescriptor(path, O_RDONLY) else { return "" }
        return (try? file.content()).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}
