// SPDX-License-Identifier: Apache-2.0
import Foundation
import TidingsCoreFixtures

/// A folder that is removed with its last reference.
package final class TemporaryFolder: Sendable {
    /// The path of the folder.
    package let path: String

    /// Creates an empty folder.
    package init() throws {
        path = try ProcessFolder.shared.get().path + "/\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }
}
