// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
import Foundation

/// The bytes of a regular file, mapped for reading while the object lives.
///
/// Only the pages that are read take memory, and the object's end frees all of the memory. As with
/// every loaded library, the file must not be truncated while the object lives. Systems replace a
/// program's file by a new file instead of truncating the old file.
final class MappedFile {
    let bytes: UnsafeRawBufferPointer

    /// Maps a file, or returns nil if the file is empty, not regular or unreadable.
    init?(_ path: String) {
        // A pipe would block without this flag.
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size > 0,
            let start = mmap(nil, Int(status.st_size), PROT_READ, MAP_PRIVATE, file, 0),
            start != MAP_FAILED
        else { return nil }
        bytes = UnsafeRawBufferPointer(start: start, count: Int(status.st_size))
    }

    deinit { munmap(UnsafeMutableRawPointer(mutating: bytes.baseAddress), bytes.count) }
}
#endif
