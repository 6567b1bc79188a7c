// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The size and the time of a file, by which the program recognizes one that it has written.
///
/// Neither the file's number, which some file systems change with each mount, nor the time of its
/// last status, which new permissions change, says anything about the content.
struct FileStamp: Hashable, Sendable {
    /// In bytes.
    let size: Int64
    /// The time of the last change of the content in nanoseconds since 1970.
    let modified: Int64

    init(size: Int64, modified: Int64) {
        self.size = size
        self.modified = modified
    }

    /// Reads the stamp of a regular file; nil for anything else.
    ///
    /// A link is not followed.
    init?(of path: String) {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        size = Int64(status.st_size)
        modified = Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec)
    }
}
