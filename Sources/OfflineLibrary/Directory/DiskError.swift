// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A file operation that the system refused.
package struct DiskError: Error, Sendable, CustomStringConvertible {
    /// What was tried, such as `rename`.
    package let operation: String
    package let path: String
    /// The system's error number.
    package let number: Int32

    package var isFull: Bool { number == ENOSPC || number == EDQUOT }
    package var description: String { "\(operation) \(path): \(String(cString: strerror(number)))" }
}
