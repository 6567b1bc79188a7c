// SPDX-License-Identifier: Apache-2.0
import Foundation
package import OfflineModel
import TidingsFiles

/// The lock of a library, held by one process at a time.
///
/// The system releases the lock when the process ends for any reason.
package final class LibraryLock: Sendable {
    private let lock: FileLock

    /// Acquires the lock without waiting, and writes the process identifier into the lock file.
    ///
    /// - Throws: `LibraryError`, with `.inUse` and the holder's process identifier if another
    ///   process holds the lock.
    package init(_ directory: LibraryDirectory) throws(LibraryError) {
        do throws(SystemError) {
            guard let lock = try FileLock.tryAcquire(directory.lock) else {
                throw SystemError("flock", path: directory.lock, number: EWOULDBLOCK)
            }
            self.lock = lock
        } catch {
            throw Self.error(for: directory, error)
        }
        let line = Array("\(getpid())\n".utf8)
        _ = ftruncate(lock.file.number, 0)
        _ = pwrite(lock.file.number, line, line.count, 0)
    }

    /// Releases the lock before the object is released.
    package func release() {
        lock.release()
    }

    private static func error(
        for directory: LibraryDirectory,
        _ error: SystemError
    ) -> LibraryError {
        if error.isBusy {
            let holder = holder(directory.lock).map { " (process \($0))" } ?? ""
            return LibraryError(
                .inUse,
                "Another offline command\(holder) uses the library \(directory.media). Wait until "
                    + "it ends, or stop it."
            )
        }
        return LibraryError(
            .cannotOpen,
            error.operation == "flock"
                ? "The library \(directory.media) cannot be locked: \(error.reason). Move it to a "
                    + "local disk."
                : "The library \(directory.media) cannot be written: \(error.reason). Choose "
                    + "another folder with --library.",
            cause: error
        )
    }

    private static func holder(_ path: String) -> Int? {
        guard let content = SystemFile.read(path, limit: 32) else { return nil }
        let text = String(decoding: content, as: UTF8.self)
        return Int(text.trimmingCharacters(in: .whitespacesAndNewlines))
    }
}
