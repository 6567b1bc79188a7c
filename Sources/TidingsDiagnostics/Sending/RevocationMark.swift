// SPDX-License-Identifier: Apache-2.0
import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// An empty file that says that nothing may be sent, whatever the state beside it says.
///
/// It is made without a lock, so that no process that is slow or stopped can keep it away, and
/// whoever writes the state cannot undo it by accident.
struct RevocationMark {
    private let path: String
    private let directory: String

    init(in directory: String) {
        self.directory = directory
        path = "\(directory)/revoked"
    }

    /// Whether it is there, or nobody can tell.
    var isMade: Bool { !SystemFile.isMissing(path) }

    /// Makes it, unless it is there, and waits for the disk.
    ///
    /// - Returns: Whether it is there.
    @discardableResult
    func make() -> Bool {
        try? SystemFile.makeFolder(directory)
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { return errno == EEXIST }
        close(file)
        let folder = open(directory, O_RDONLY | O_CLOEXEC)
        guard folder >= 0 else { return true }
        fsync(folder)
        close(folder)
        return true
    }

    /// Deletes it; where that fails nothing is sent.
    func remove() { _ = try? SystemFile.remove(path) }
}
