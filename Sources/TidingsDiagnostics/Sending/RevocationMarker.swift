// SPDX-License-Identifier: Apache-2.0
import Foundation
import TidingsFiles

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// An empty file whose existence blocks sending, whatever the state file contains.
///
/// The file is created without a lock, so that a slow or stopped process cannot block the creation,
/// and no writer of the state can undo the revocation by accident.
struct RevocationMarker {
    private let path: String
    private let directory: String

    init(in directory: String) {
        self.directory = directory
        path = "\(directory)/revoked"
    }

    /// Whether the file exists, which is also true if the existence is unknown.
    var exists: Bool { !SystemFile.isMissing(path) }

    /// Creates the file if missing, and waits for the disk.
    ///
    /// - Returns: Whether the file exists.
    @discardableResult
    func create() -> Bool {
        try? SystemFile.makeFolder(directory)
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { return errno == EEXIST }
        close(file)
        SystemFile.syncFolder(directory)
        return true
    }

    /// Deletes the file.
    ///
    /// If the deletion fails, nothing is sent.
    func remove() { _ = try? SystemFile.remove(path) }
}
