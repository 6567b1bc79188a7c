// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The folder of all temporary folders of this process, removed after the end of the process.
///
/// A center may still have a change to save when a test ends, and the center's store creates the
/// missing folder again. A cleanup inside this process might come before that.
final class ProcessFolder: Sendable {
    static let shared = Result { try ProcessFolder() }

    let path = FileManager.default.temporaryDirectory.path + "/tidings-\(UUID().uuidString)"
    /// The pipe whose writing end closes when this process ends.
    private let pipe = Pipe()

    private init() throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        let shell = Process()
        shell.executableURL = URL(filePath: "/bin/sh")
        shell.arguments = ["-c", "cat; rm -rf \"$0\"", path]
        shell.standardInput = pipe
        try shell.run()
    }
}
