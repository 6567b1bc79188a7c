// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
import Foundation

/// A folder on a small disk.
///
/// A small disk requires root.
package final class SmallDisk: Sendable {
    /// A system call that failed.
    package struct Failure: Error {
        let call: String
        let number = errno
    }

    package static var isPossible: Bool { geteuid() == 0 }
    private static let block = 4_096

    /// The root of the disk.
    package let folder: String
    private var filler: String { folder + "/filler" }

    /// A path on the disk where no file is yet.
    package var path: String { folder + "/content" }

    package init(kibibytes: Int = 256) throws {
        folder = FileManager.default.temporaryDirectory.path + "/disk-" + UUID().uuidString
        try FileManager.default.createDirectory(
            atPath: folder,
            withIntermediateDirectories: true
        )
        guard mount("tidings-test", folder, "tmpfs", 0, "size=\(kibibytes)k") == 0 else {
            throw Failure(call: "mount")
        }
    }

    deinit {
        umount2(folder, CInt(MNT_DETACH))
        rmdir(folder)
    }

    /// Fills the disk until `blocks` blocks are free.
    package func fill(leaving blocks: Int) throws {
        try? FileManager.default.removeItem(atPath: filler)
        var facts = statvfs()
        guard statvfs(folder, &facts) == 0 else { throw Failure(call: "statvfs") }
        let bytes = max(0, Int(facts.f_bavail) - blocks) * Self.block
        // The file is closed on exec, because a child process with an open descriptor would keep
        // the space of the deleted file.
        let file = open(filler, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw Failure(call: "open") }
        defer { close(file) }
        guard bytes == 0 || posix_fallocate(file, 0, bytes) == 0 else {
            throw Failure(call: "posix_fallocate")
        }
    }

    package func empty() throws {
        try FileManager.default.removeItem(atPath: filler)
    }
}
#endif
