// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import TidingsDiagnostics

#if os(Linux)
/// A folder on a small disk; only root can have one.
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
        try Self.run("mount", "-t", "tmpfs", "-o", size, "tidings-test", place.path)
    }

    deinit { try? Self.run("umount", "--lazy", place.path) }

    /// Fills the disk until so many blocks are free.
    func fill(leaving blocks: Int) throws {
        try? FileManager.default.removeItem(atPath: filler)
        var facts = statvfs()
        try #require(statvfs(place.path, &facts) == 0)
        let bytes = max(0, Int(facts.f_bavail) - blocks) * Self.block
        // Closed at an exec: a child that has it open would keep the space of a deleted file.
        try SystemFile.write(Data(count: bytes), to: filler)
    }

    func empty() throws {
        try FileManager.default.removeItem(atPath: filler)
    }

    private static func run(_ command: String...) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = command
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
    }
}
#endif
