// SPDX-License-Identifier: Apache-2.0
import Foundation
import TidingsCoreFixtures

/// A folder that is deleted together with the object.
final class TemporaryFolder: Sendable {
    let path: String

    /// Creates a folder in memory if `isInMemory` is true and the system can, otherwise on a disk.
    init(isInMemory: Bool = false) throws {
        let memory = "/dev/shm"
        let isUsed = isInMemory && FileManager.default.isWritableFile(atPath: memory)
        let parent = isUsed ? memory : try ProcessFolder.shared.get().path
        path = parent + "/" + UUID().uuidString
        try FileManager.default.createDirectory(
            atPath: path,
            withIntermediateDirectories: true
        )
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
    }

    func text(of name: String) throws -> String {
        try String(contentsOfFile: "\(path)/\(name)", encoding: .utf8)
    }

    /// Returns the concatenated contents of all files below the folder.
    func allBytes() throws -> String {
        let names = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
        return try names.map { "\(path)/\($0)" }
            .filter {
                (try FileManager.default.attributesOfItem(atPath: $0))[.type] as? FileAttributeType
                    == .typeRegular
            }
            .map { String(decoding: try Data(contentsOf: URL(filePath: $0)), as: UTF8.self) }
            .joined()
    }
}
