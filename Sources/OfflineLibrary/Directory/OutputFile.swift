// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tidings

/// A file that a transfer writes to its end.
///
/// One thread appends; any thread may ask how far it is or sync it. Closed when released.
package final class OutputFile: Sendable {
    package let path: String
    private let descriptor: Int32
    private let written: Lock<Int64>

    /// Opens a file for appending and makes it when there is none; it is cut to `length` first.
    package init(path: String, keeping length: Int64) throws(DiskError) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else {
            throw DiskError(operation: "open", path: path, number: errno)
        }
        guard ftruncate(descriptor, off_t(length)) == 0,
            lseek(descriptor, off_t(length), SEEK_SET) == off_t(length)
        else {
            let number = errno
            close(descriptor)
            throw DiskError(operation: "truncate", path: path, number: number)
        }
        self.path = path
        self.descriptor = descriptor
        written = Lock(length)
    }

    deinit {
        close(descriptor)
    }

    /// The bytes in the file.
    package var length: Int64 { written.withLock { $0 } }

    /// Appends all of the bytes.
    package func append(_ bytes: UnsafeRawBufferPointer) throws(DiskError) {
        var rest = bytes
        while let start = rest.baseAddress, !rest.isEmpty {
            let count = write(descriptor, start, rest.count)
            if count < 0 {
                if errno == EINTR { continue }
                throw DiskError(operation: "write", path: path, number: errno)
            }
            written.withLock { $0 += Int64(count) }
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        }
    }

    /// Drops all bytes, to start over.
    package func clear() throws(DiskError) {
        guard ftruncate(descriptor, 0) == 0, lseek(descriptor, 0, SEEK_SET) == 0 else {
            throw DiskError(operation: "truncate", path: path, number: errno)
        }
        written.withLock { $0 = 0 }
    }

    /// Puts what was appended so far onto the disk and returns how much that was at least.
    package func sync() throws(DiskError) -> Int64 {
        let length = self.length
        guard fdatasync(descriptor) == 0 else {
            throw DiskError(operation: "fdatasync", path: path, number: errno)
        }
        return length
    }
}
