// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tidings

/// The folder with the files that belong to the program.
///
/// After a build, the folder is beside the executable. After an installation, the folder is
/// `../share/offline`. The search never uses a path of the machine that built the program.
struct ResourceFolder: Sendable {
    /// The path of the folder that contains `Page` and `Sample`.
    let path: String

    private static let bundleName = "tidings_OfflineServer.resources"

    /// Finds the folder of the running program.
    ///
    /// - Throws: `ServerError` with `.resourcesMissing`.
    static func find() throws(ServerError) -> ResourceFolder {
        guard let executable = readLink("/proc/self/exe") else {
            throw ServerError(
                .resourcesMissing,
                "The program's path is not readable from /proc/self/exe. Mount /proc."
            )
        }
        return try find(beside: executable)
    }

    /// Finds the folder of the program at `executable`.
    ///
    /// - Throws: `ServerError` with `.resourcesMissing`. The message names the searched folders.
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
            "The page's files are missing in \(candidates.map(\.path).joined(separator: " and ")). "
                + "Install the program again."
        )
    }

    /// The path of the program's icon.
    fileprivate var icon: String { path + "/Page/icon-180.png" }

    private static func readLink(_ path: String) -> String? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(path, &buffer, buffer.count)
        guard count > 0, count < buffer.count else { return nil }
        let bytes = buffer.prefix(count).map { UInt8(bitPattern: $0) }
        return String(bytes: bytes, encoding: .utf8)
    }
}

extension OfflineServer {
    /// The path of the program's icon, or nil if the program's files are missing.
    package static var iconFile: String? { (try? ResourceFolder.find())?.icon }
}
