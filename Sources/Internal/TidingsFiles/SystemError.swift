// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A call that the system refused.
package struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The name of the call, such as `rename`.
    package let operation: String
    /// The file of the call, if the call concerns a file.
    package let path: String?
    /// The system's error number.
    package let number: CInt

    /// Creates an error.
    ///
    /// The default number belongs to the last failed call on this thread.
    package init(_ operation: String, path: String? = nil, number: CInt = errno) {
        self.operation = operation
        self.path = path
        self.number = number
    }

    /// Whether the disk, a quota or a limit on file sizes has no room left.
    package var isFullDisk: Bool { number == ENOSPC || number == EDQUOT || number == EFBIG }
    /// Whether another holder has the lock.
    package var isBusy: Bool { number == EWOULDBLOCK }
    /// Whether the file does not exist.
    package var isMissingFile: Bool { number == ENOENT || number == ENOTDIR }

    /// The system's words for the reason.
    package var reason: String { String(cString: strerror(number)) }
    /// The call and the reason.
    package var description: String { "\(operation): \(reason)" }
    /// The call with the file, and the reason.
    package var descriptionWithPath: String {
        "\([operation, path].compactMap { $0 }.joined(separator: " ")): \(reason)"
    }
}
