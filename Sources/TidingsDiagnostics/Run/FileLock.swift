// SPDX-License-Identifier: Apache-2.0
import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A file that one process at a time can have, until it gives it back or ends, however it does.
final class FileLock: Sendable {
    private let file: CInt
    private let process = getpid()

    private init(_ file: CInt) {
        self.file = file
    }

    deinit {
        // A child that is just being started has the file until its program begins.
        if process == getpid() { flock(file, LOCK_UN) }
        close(file)
    }

    /// Makes a file that only its owner can read, and takes it.
    static func make(_ path: String) throws(SystemError) -> FileLock {
        let file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { throw SystemError("open") }
        let result = FileLock(file)
        guard lock(file) else { throw SystemError("flock") }
        return result
    }

    /// Takes a file; nil when another one has it, or when it is no file of this user.
    ///
    /// Tests do something `whenOpen`, before it is locked.
    static func take(
        _ path: String,
        owner: uid_t,
        whenOpen: () -> Void = {}
    ) -> FileLock? {
        guard let before = FileIdentity(of: path, S_IFREG, owner: owner) else { return nil }
        let file = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard file >= 0 else { return nil }
        let result = FileLock(file)
        whenOpen()
        // Who had it before may have removed the file after it was opened here.
        guard lock(file), FileIdentity(of: file) == before,
            FileIdentity(of: path, S_IFREG, owner: owner) == before
        else { return nil }
        return result
    }

    private static func lock(_ file: CInt) -> Bool {
        while flock(file, LOCK_EX | LOCK_NB) != 0 {
            guard errno == EINTR else { return false }
        }
        return true
    }
}

/// Which file it is, whatever its name.
struct FileIdentity: Equatable {
    private let device: dev_t
    private let number: ino_t

    /// The file at a path; nil when it is of another kind, a link, or of another owner.
    init?(of path: String, _ kind: mode_t, owner: uid_t) {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == kind, status.st_uid == owner
        else { return nil }
        self.init(status)
    }

    fileprivate init?(of file: CInt) {
        var status = stat()
        guard fstat(file, &status) == 0 else { return nil }
        self.init(status)
    }

    private init(_ status: stat) {
        device = status.st_dev
        number = status.st_ino
    }
}
