// SPDX-License-Identifier: Apache-2.0
import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A lock on a file that the system takes back when the process ends, however it ends.
///
/// A file of another user is none. Held until it is released or the last reference is gone. It keeps others away in this process, too.
final class FileClaim: Sendable {
    private let file: CInt
    private let process = getpid()

    /// Nil when somebody else has it.
    init?(_ path: String) throws(SystemError) {
        file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { throw SystemError("open") }
        // Whoever it belongs to could hold it for ever. Where it cannot be asked for, nobody does.
        var status = stat()
        if fstat(file, &status) == 0, status.st_uid != geteuid() {
            errno = EPERM
            throw SystemError("open")
        }
        while flock(file, LOCK_EX | LOCK_NB) != 0 {
            let failure = SystemError("flock")
            if failure.number == EINTR { continue }
            // The object is complete, so its end closes the file.
            if failure.number == EWOULDBLOCK { return nil }
            throw failure
        }
    }

    deinit {
        guard file >= 0 else { return }
        // A child that is just being started has the file until its program begins.
        if process == getpid() { release() }
        close(file)
    }

    /// Gives the lock back before the last reference is gone.
    func release() { flock(file, LOCK_UN) }

    /// Waits for the lock on the caller's thread, but no longer than the limit.
    static func taken(_ path: String, within limit: Duration) throws(SystemError) -> FileClaim {
        let deadline = ContinuousClock.now + limit
        while true {
            if let lock = try FileClaim(path) { return lock }
            guard ContinuousClock.now < deadline else {
                errno = EWOULDBLOCK
                throw SystemError("flock")
            }
            usleep(1_000)
        }
    }
}
