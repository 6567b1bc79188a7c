// SPDX-License-Identifier: Apache-2.0
public import Tidings

/// A file that comes with a notification could not be copied.
///
/// One that is too large, or for which there is no room, is shown from where it is, as long as it
/// is there. Others are left out; the outcome names that as well.
///
/// ```swift
/// center.observe(NotificationAttachmentNotCopied.self) { print("\($0.path): \($0.reason)") }
/// ```
public struct NotificationAttachmentNotCopied: Message, Hashable {
    /// Why a file was not copied.
    @nonexhaustive public enum Reason: Hashable, Sendable {
        /// There is no such file.
        case missing
        /// It is a link, a folder, a pipe or a device, or its path is not an absolute one.
        case notAFile
        /// It has more bytes than this.
        case tooLarge(limit: Int)
        /// There is no room: on the disk, or within what all copies may need together.
        case noRoom
        /// The system has refused it, in these words.
        case failed(String)
    }

    /// The identifier of the request.
    public let identifier: String
    /// The path that the request names.
    public let path: String
    /// Why it was not copied.
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
