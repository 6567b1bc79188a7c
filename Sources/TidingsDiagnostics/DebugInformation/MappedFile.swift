// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
import Foundation

/// The bytes of a regular file, mapped for reading while the object lives.
///
/// Only the pages that are read take memory, and none after the object's end. Like every loaded
/// library, the file must not be truncated meanwhile: its system replaces a file of a program by a
/// new one instead.
final class MappedFile {
    let bytes: UnsafeRawBufferPointer

    /// Maps a file; nil if it is empty, no regular file, or cannot be read.
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
