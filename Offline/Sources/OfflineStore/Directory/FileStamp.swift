// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The size and the time of a file, which identify a file that the program has written.
///
/// Two other properties say nothing about the content. Some file systems change the file's number
/// with each mount, and new permissions change the time of the last status.
package struct FileStamp: Hashable, Sendable {
    /// The size in bytes.
    package let size: Int64
    /// The time of the last change of the content in nanoseconds since 1970.
    package let modified: Int64

    init(size: Int64, modified: Int64) {
        self.size = size
        self.modified = modified
    }

    /// Reads the stamp of a regular file, or returns nil for anything else.
    ///
    /// The initializer does not follow a link.
    package init?(of path: String) {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        size = Int64(status.st_size)
        modified = Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec)
    }
}
