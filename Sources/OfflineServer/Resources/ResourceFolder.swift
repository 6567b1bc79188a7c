import Foundation
// SPDX-License-Identifier: Apache-2.0
import Tidings

/// Finds the files that come with the program, wherever the program stands.
///
/// They lie beside the executable after a build and in `../share/offline` after an installation.
/// No path of the machine that built the program is looked at.
struct ResourceFolder: Sendable {
    /// The folder that holds `Page` and `Sample`.
    let path: String

    private static let bundleName = "tidings_OfflineServer.resources"

    /// Finds the folder for the running program.
    static func find() throws(ServerError) -> ResourceFolder {
        guard let executable = readLink("/proc/self/exe") else {
            throw ServerError(
                .resourcesMissing,
                "The program's own place cannot be read from /proc/self/exe; mount /proc."
            )
        }
        return try find(beside: executable)
    }

    /// Finds the folder for a program at `executable`.
    static func find(beside executable: String) throws(ServerError) -> ResourceFolder {
        let folder = URL(filePath: executable).deletingLastPathComponent()
        let candidates = [
            folder.appending(path: bundleName),
            folder.deletingLastPathComponent().appending(path: "share/offline"),
        ]
        for candidate in candidates {
            let page = candidate.appending(path: "Page/index.html").path
            if FileManager.default.fileExists(atPath: page) {
                return ResourceFolder(path: candidate.path)
            }
        }
        throw ServerError(
            .resourcesMissing,
            "The page's files are not beside the program; install it again. "
                + "Looked at: \(candidates.map(\.path).joined(separator: ", "))."
        )
    }

    private static func readLink(_ path: String) -> String? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(path, &buffer, buffer.count)
        guard count > 0, count < buffer.count else { return nil }
        let bytes = buffer.prefix(count).map { UInt8(bitPattern: $0) }
        return String(bytes: bytes, encoding: .utf8)
    }
}
