// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A folder that goes when the test is done with it.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        var template = Array("/tmp/offline-test-XXXXXX".utf8CString)
        path = try template.withUnsafeMutableBufferPointer { buffer in
            guard let start = buffer.baseAddress, let made = mkdtemp(start) else {
                throw CocoaError(.fileWriteUnknown)
            }
            return String(cString: made)
        }
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }
}
