// SPDX-License-Identifier: Apache-2.0
import Foundation
import TidingsLock

/// A folder with the files of one command, kept until the end of this process.
///
/// Most tests need one of a few films. Each film takes a third of a second of processor time, so a
/// command runs once, and each test gets a copy of the files.
package final class MadeMedia: Sendable {
    private static let all = Lock<[[String]: MadeMedia]>([:])

    private let folder = Lock<Result<TemporaryFolder, any Error>?>(nil)

    /// Returns the folder of a command, and runs the command in this folder before the first use.
    package static func folder(
        of command: [String],
        run: (_ folder: String) throws -> Void
    ) throws -> String {
        let media = all.withLock { all in
            let media = all[command] ?? MadeMedia()
            all[command] = media
            return media
        }
        // A second test with the same command waits for the first test.
        return try media.folder.withLock { folder in
            let made =
                folder
                ?? Result {
                    let made = try TemporaryFolder()
                    try run(made.path)
                    return made
                }
            folder = made
            return made
        }.get().path
    }

    /// Copies all files of a folder into another folder, and replaces files with the same names.
    package static func copy(from source: String, to target: String) throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: source) {
            try copy("\(source)/\(name)", to: "\(target)/\(name)")
        }
    }

    /// Copies one file, and replaces any file at the target.
    package static func copy(_ path: String, to target: String) throws {
        try? FileManager.default.removeItem(atPath: target)
        try FileManager.default.copyItem(atPath: path, toPath: target)
    }
}
