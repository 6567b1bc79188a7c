// SPDX-License-Identifier: Apache-2.0
package import Foundation

/// An exclusive lock on a file, held until the release or until the process ends for any reason.
///
/// The lock also excludes other holders in this process. All methods are safe from any thread.
package final class FileLock: Sendable {
    /// The locked file.
    package let file: FileDescriptor
    private let process = getpid()

    private init(_ file: FileDescriptor) {
        self.file = file
    }

    deinit { release() }

    /// Releases the lock now instead of with the last reference.
    package func release() {
        // A child between fork and exec shares the lock. Closing the file would not release the
        // lock as long as the child has the file open.
        if process == getpid() { flock(file.number, LOCK_UN) }
    }

    /// Locks a file, which is created if necessary, or returns nil when another holder has the
    /// lock.
    ///
    /// A file of another user is refused with `EPERM`, because the file's owner could hold the lock
    /// for ever.
    package static func tryAcquire(_ path: String) throws(SystemError) -> FileLock? {
        let file = try FileDescriptor(path, O_RDWR | O_CREAT | O_NOFOLLOW)
        if let status = try? file.status(), status.st_uid != geteuid() {
            throw SystemError("open", path: path, number: EPERM)
        }
        do throws(SystemError) {
            return try lock(file)
        } catch {
            if error.isBusy { return nil }
            throw error
        }
    }

    /// Locks a file, which is created if necessary, and blocks while another holder has the lock.
    ///
    /// - Throws: `SystemError` with `isBusy` when the limit has passed.
    package static func acquire(
        _ path: String,
        within limit: Duration,
        time: LockTime = .system
    ) throws(SystemError) -> FileLock {
        let deadline = time.now() + limit
        while true {
            if let lock = try tryAcquire(path) { return lock }
            guard time.now() < deadline else {
                throw SystemError("flock", path: path, number: EWOULDBLOCK)
            }
            time.pause()
        }
    }

    /// Creates a file that only the owner can read, and locks the file.
    package static func create(_ path: String) throws(SystemError) -> FileLock {
        try lock(try FileDescriptor(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW))
    }

    /// Locks an existing file.
    ///
    /// The result is nil when another holder has the lock, or when `path` does not lead to a
    /// regular file of `owner`. Tests use `whenOpen` to act between opening and locking.
    package static func tryAcquire(
        existing path: String,
        owner: uid_t,
        whenOpen: () -> Void = {}
    ) -> FileLock? {
        guard let before = FileIdentity(of: path, S_IFREG, owner: owner),
            let file = try? FileDescriptor(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK)
        else { return nil }
        whenOpen()
        // The previous holder may have removed the file after this function had opened the file.
        guard let lock = try? lock(file), let status = try? file.status(),
            FileIdentity(status) == before,
            FileIdentity(of: path, S_IFREG, owner: owner) == before
        else { return nil }
        return lock
    }

    /// Whether a holder has the lock of this open file.
    package static func isHeld(_ file: FileDescriptor) -> Bool {
        if flock(file.number, LOCK_SH | LOCK_NB) == 0 {
            flock(file.number, LOCK_UN)
            return false
        }
        return errno == EWOULDBLOCK
    }

    private static func lock(_ file: FileDescriptor) throws(SystemError) -> FileLock {
        while flock(file.number, LOCK_EX | LOCK_NB) != 0 {
            guard errno == EINTR else { throw SystemError("flock", path: file.path) }
        }
        return FileLock(file)
    }
}
