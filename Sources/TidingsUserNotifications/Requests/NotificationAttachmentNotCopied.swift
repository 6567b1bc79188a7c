// SPDX-License-Identifier: Apache-2.0
public import Tidings

/// A message that an attached file could not be copied.
///
/// A file that is too large, or for which there is no room, is shown from its own path as long as
/// it exists. Other files are left out, and the outcome names the feature.
///
/// ```swift
/// center.observe(NotificationAttachmentNotCopied.self) { print("\($0.path): \($0.reason)") }
/// ```
public struct NotificationAttachmentNotCopied: Message, Hashable {
    /// The reason why a file was not copied.
    @nonexhaustive public enum Reason: Hashable, Sendable {
        /// The file does not exist.
        case missing
        /// The path is not absolute, or it is that of a link, a folder, a pipe or a device.
        case notAFile
        /// The file has more bytes than this limit.
        case tooLarge(limit: Int)
        /// There is no room on the disk, or all copies together would exceed their limit.
        case noRoom
        /// The system returned this error.
        case failed(String)
    }

    /// The identifier of the request.
    public let identifier: String
    /// The path in the request.
    public let path: String
    /// The reason why the file was not copied.
    public let reason: Reason
}

extension NotificationAttachmentNotCopied.Reason {
    /// Whether the file itself can be shown.
    var leavesFile: Bool {
        switch self {
        case .tooLarge, .noRoom: true
        case .missing, .notAFile, .failed: false
        }
    }
}
