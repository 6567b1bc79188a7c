// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The folder of all temporary folders of this process, removed after the end of the process.
///
/// Stores may still have a change to save when a test ends, and create the missing folder again. A
/// cleanup inside this process might come before that.
package final class ProcessFolder: Sendable {
    package static let shared = Result { try ProcessFolder() }

    package let path = FileManager.default.temporaryDirectory.path + "/tidings-\(UUID().uuidString)"
    /// The program whose input ends when this process ends.
    private let cleaner: ChildProgram

    private init() throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        cleaner = try ChildProgram(["sh", "-c", "cat; rm -rf \"$0\"", path])
    }
}
