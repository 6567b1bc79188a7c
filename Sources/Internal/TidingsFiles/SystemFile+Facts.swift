// SPDX-License-Identifier: Apache-2.0
package import Foundation

extension SystemFile {
    /// The size and date of a regular file.
    package struct Facts: Hashable, Sendable {
        /// The size in bytes.
        package let size: Int
        /// The date of the last change of the content.
        package let modified: Date
    }

    /// The size and date of a regular file, or nil for anything else, including a link.
    package static func facts(of path: String) -> Facts? {
        var status = stat()
        return lstat(path, &status) == 0 ? Facts(status) : nil
    }

    /// The size of a regular file in bytes, or nil for anything else.
    package static func size(of path: String) -> Int64? {
        facts(of: path).map { Int64($0.size) }
    }

    /// The file system's number of a regular file, or nil for anything else.
    package static func number(of path: String) -> Int? {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return Int(truncatingIfNeeded: status.st_ino)
    }

    /// Whether anything has this name, even a link that leads nowhere.
    package static func exists(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }

    /// Whether two names lead to the same regular file, without following a link.
    package static func areSame(_ path: String, _ other: String) -> Bool {
        var (first, second) = (stat(), stat())
        guard lstat(path, &first) == 0, lstat(other, &second) == 0,
            first.st_mode & S_IFMT == S_IFREG
        else { return false }
        return first.st_dev == second.st_dev && first.st_ino == second.st_ino
    }

    /// Whether there is a folder of this name, without following a link.
    package static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// Whether there is certainly nothing of this name.
    package static func isMissing(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) != 0 && errno == ENOENT
    }

    /// The user who owns a file, or nil when there is none.
    ///
    /// A link is not followed.
    package static func owner(of path: String) -> uid_t? {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_uid : nil
    }

    /// The names in a folder that start with a text, in no order.
    ///
    /// The list is empty on failure.
    ///
    /// This function is much faster than `names` in a folder with many files.
    package static func names(in folder: String, startingWith prefix: String) -> [String] {
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let length = prefix.utf8.count
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes -> String? in
                let text = bytes.prefix { $0 != 0 }
                guard text.starts(with: prefix.utf8), text.count > length else { return nil }
                return String(decoding: text, as: UTF8.self)
            }
            if let name { names.append(name) }
        }
        return names
    }

    /// The names in a folder, sorted.
    ///
    /// The list is empty when the folder cannot be read.
    package static func names(in folder: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
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
