// SPDX-License-Identifier: Apache-2.0
import Foundation
package import TidingsFiles
import TidingsLock

/// The file to which a transfer appends the received bytes.
///
/// Only one thread may append. Any thread may read the length and sync. The file is closed when the
/// object is released.
package final class OutputFile: Sendable {
    private let file: FileDescriptor
    private let written: Lock<Int64>

    /// Opens or creates a file for appending, and first truncates the file to `length`.
    package init(path: String, keeping length: Int64) throws(SystemError) {
        file = try FileDescriptor(path, O_WRONLY | O_CREAT | O_NOFOLLOW)
        written = Lock(length)
        try truncate(to: length)
    }

    /// The path of the file.
    package var path: String { file.path }

    /// The number of bytes in the file.
    package var length: Int64 { written.withLock { $0 } }

    /// Appends all of the bytes.
    package func append(_ bytes: UnsafeRawBufferPointer) throws(SystemError) {
        var rest = bytes
        while let start = rest.baseAddress, !rest.isEmpty {
            let count = write(file.number, start, rest.count)
            if count < 0 {
                if errno == EINTR { continue }
                throw SystemError("write", path: path)
            }
            written.withLock { $0 += Int64(count) }
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        }
    }

    /// Writes the appended bytes to the disk and returns a lower bound of the synced length.
    package func sync() throws(SystemError) -> Int64 {
        let length = self.length
        guard fdatasync(file.number) == 0 else { throw SystemError("fdatasync", path: path) }
        return length
    }

    private func truncate(to length: Int64) throws(SystemError) {
        guard ftruncate(file.number, off_t(length)) == 0,
            lseek(file.number, off_t(length), SEEK_SET) == off_t(length)
        else { throw SystemError("truncate", path: path) }
    }
}
