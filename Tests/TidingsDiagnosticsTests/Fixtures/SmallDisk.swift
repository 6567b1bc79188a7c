// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import TidingsFiles

@testable import TidingsDiagnostics

#if os(Linux)
/// A folder on a small disk; requires root.
final class SmallDisk: Sendable {
    static var isPossible: Bool { geteuid() == 0 }
    private static let block = 4_096

    private let place: TemporaryFolder
    private var filler: String { place.path + "/filler" }

    var path: String { place.path + "/reporter" }

    /// The root of the disk.
    var folder: String { place.path }

    init(kibibytes: Int = 256) throws {
        place = try TemporaryFolder()
        let size = "size=\(kibibytes)k"
        try #require(mount("tidings-test", place.path, "tmpfs", 0, size) == 0)
    }

    deinit { umount2(place.path, CInt(MNT_DETACH)) }

    /// Fills the disk until `blocks` blocks are free.
    func fill(leaving blocks: Int) throws {
        try? FileManager.default.removeItem(atPath: filler)
        var facts = statvfs()
        try #require(statvfs(place.path, &facts) == 0)
        let bytes = max(0, Int(facts.f_bavail) - blocks) * Self.block
        // Closed on exec: a child process with an open descriptor would keep the space of the
        // deleted file.
        try SystemFile.create(filler, content: Data(count: bytes))
    }

    func empty() throws {
        try FileManager.default.removeItem(atPath: filler)
    }
}
#endif
