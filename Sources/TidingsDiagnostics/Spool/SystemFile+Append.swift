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
    /// Adds a line to a file that only its owner can read, whole or not at all, and waits for the
    /// disk.
    static func append(
        _ line: Data,
        to path: String,
        within limit: Duration
    ) throws(SystemError) {
        let flags = O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW
        let file = open(path, flags, 0o600)
        guard file >= 0 else { throw SystemError("open") }
        defer { close(file) }
        let deadline = ContinuousClock.now + limit
        while flock(file, LOCK_EX | LOCK_NB) != 0 {
            let failure = SystemError("flock")
            guard failure.number == EWOULDBLOCK || failure.number == EINTR,
                ContinuousClock.now < deadline
            else { throw failure }
            usleep(1_000)
        }
        let size = lseek(file, 0, SEEK_END)
        guard size >= 0 else { throw SystemError("lseek") }
        do throws(SystemError) {
            // A process that was killed may have left a part of a line.
            var last: UInt8 = 10
            if size > 0, pread(file, &last, 1, size - 1) != 1 { throw SystemError("read") }
            try write((last == 10 ? Data() : Data([10])) + line + Data([10]), to: file)
            guard fsync(file) == 0 else { throw SystemError("fsync") }
        } catch {
            ftruncate(file, size)
            throw error
        }
    }
}
