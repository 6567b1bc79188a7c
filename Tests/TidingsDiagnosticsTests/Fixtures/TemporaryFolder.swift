// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A folder that is deleted together with the object.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        path = try ProcessFolder.shared.get().path + "/" + UUID().uuidString
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

    /// Returns the concatenated contents of all files below, as text.
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
