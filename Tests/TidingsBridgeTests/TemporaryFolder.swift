// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A folder that is removed with its last reference.
final class TemporaryFolder: Sendable {
    let path: String

    init(in parent: String = NSTemporaryDirectory()) {
        path = parent + "/bridge-" + UUID().uuidString
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }
}
