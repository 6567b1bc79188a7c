// SPDX-License-Identifier: Apache-2.0
package import Foundation

/// The identity of a file, which is independent of the name.
package struct FileIdentity: Hashable, Sendable {
    private let device: dev_t
    private let number: ino_t

    /// The file at a path, or nil when the file is of another kind, a link, or of another owner.
    package init?(of path: String, _ kind: mode_t, owner: uid_t) {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == kind, status.st_uid == owner
        else { return nil }
        self.init(status)
    }

    init(_ status: stat) {
        device = status.st_dev
        number = status.st_ino
    }
}
