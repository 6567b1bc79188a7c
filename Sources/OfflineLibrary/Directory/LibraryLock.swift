import Foundation
// SPDX-License-Identifier: Apache-2.0
import Tidings

/// The right to work on a library, held by one process at a time.
///
/// The system gives it back when the process ends, however it ends.
package final class LibraryLock: Sendable {
    private let descriptor: Int32

    /// Takes the lock.
    ///
    /// - Throws: `LibraryError.inUse` with the holder's process number when another process has it.
    package init(_ directory: LibraryDirectory) throws(LibraryError) {
        let descriptor = open(directory.lock, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else {
            throw LibraryError(
                .cannotOpen,
                "The library \(directory.path) cannot be written: "
                    + "\(String(cString: strerror(errno))). Choose another with --library."
            )
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let number = errno
            guard number == EWOULDBLOCK else {
                close(descriptor)
                throw LibraryError(
                    .cannotOpen,
                    "The library \(directory.path) cannot be locked: "
                        + "\(String(cString: strerror(number))). Put it on a local disk."
                )
            }
            let holder = Self.holder(descriptor)
            close(descriptor)
            throw LibraryError(
                .inUse,
                "Another offline\(holder.map { " (process \($0))" } ?? "") works on the library "
                    + "\(directory.path). Wait until it ends, or stop it."
            )
        }
        self.descriptor = descriptor
        let line = Array("\(getpid())\n".utf8)
        _ = ftruncate(descriptor, 0)
        _ = pwrite(descriptor, line, line.count, 0)
    }

    deinit {
        close(descriptor)
    }

    /// Gives the lock back early.
    package func release() {
        flock(descriptor, LOCK_UN)
    }

    private static func holder(_ descriptor: Int32) -> Int? {
        var bytes = [UInt8](repeating: 0, count: 32)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        guard count > 0 else { return nil }
        let text = String(decoding: bytes.prefix(count), as: UTF8.self)
        return Int(text.trimmingCharacters(in: .whitespacesAndNewlines))
    }
}
