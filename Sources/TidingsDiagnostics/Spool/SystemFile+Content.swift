// SPDX-License-Identifier: Apache-2.0
import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

extension SystemFile {
    /// What became of reading a file.
    enum Content: Equatable {
        case whole(Data)
        /// There is no such file any more.
        case missing
        /// It may be read later: this process, or the system, has no room for it now.
        case unavailable
        /// It belongs to another user, who may have written anything.
        case foreign
        /// It will never be read: a link, a folder, too large, or not ours.
        case unusable
    }

    /// Reads a regular file of this user that is not larger than `limit`; a link is not followed.
    static func content(of path: String, limit: Int) -> Content {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard file >= 0 else {
            return switch errno {
            case ENOENT: .missing
            case EMFILE, ENFILE, ENOMEM, EINTR: .unavailable
            case EACCES, EPERM:
                owner(of: path).map { $0 != geteuid() } == true ? .foreign : .unusable
            default: .unusable
            }
        }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else { return .unusable }
        guard status.st_uid == geteuid() else { return .foreign }
        guard let facts = Facts(status), facts.size <= limit else { return .unusable }
        return bytes(of: file, count: facts.size).map(Content.whole) ?? .unusable
    }

    /// Reads so many bytes at once, which Foundation does by the page; fewer if there are no more.
    private static func bytes(of file: Int32, count: Int) -> Data? {
        var data = Data(count: count)
        var filled = 0
        while filled < count {
            let result = data.withUnsafeMutableBytes { buffer in
                pread(file, buffer.baseAddress?.advanced(by: filled), count - filled, off_t(filled))
            }
            if result < 0, errno == EINTR { continue }
            guard result >= 0 else { return nil }
            if result == 0 { break }
            filled += result
        }
        return data.prefix(filled)
    }

    /// The user to whom something belongs, a link itself; nil when it is not there.
    static func owner(of path: String) -> uid_t? {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_uid : nil
    }

    /// The bytes of a regular file of this user that is not larger than `limit`; a link is not
    /// followed.
    static func read(_ path: String, limit: Int) -> Data? {
        if case .whole(let data) = content(of: path, limit: limit) { data } else { nil }
    }

    /// The text of a file that the system makes while it is read; empty when it cannot be read.
    ///
    /// Such a file has no size, and one read does not return all of it.
    static func list(_ path: String) -> String {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return "" }
        let handle = FileHandle(fileDescriptor: file, closeOnDealloc: true)
        var bytes = Data()
        while let part = try? handle.read(upToCount: 64 << 10), !part.isEmpty { bytes += part }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The names of what is in a folder; none when it cannot be read.
    static func names(in folder: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    }

    /// Whether nothing has this name, not even a link that leads nowhere.
    static func isMissing(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) != 0 && errno == ENOENT
    }
}
