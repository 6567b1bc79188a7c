// SPDX-License-Identifier: Apache-2.0

/// The cause of an error that an attached file could not be copied.
package struct NotificationAttachmentNotCopied: Error, Hashable {
    /// The reason why a file was not copied.
    package enum Reason: Hashable, Sendable {
        /// The file does not exist.
        case missing
        /// The path is not absolute, or points to a link, a folder, a pipe or a device.
        case notAFile
        /// The file has more bytes than this limit.
        case tooLarge(limit: Int)
        /// The disk has no room, or all copies together would exceed the limit.
        case noRoom
        /// The system returned this error.
        case failed(String)
    }

    /// The identifier of the request.
    package let identifier: String
    /// The path in the request.
    package let path: String
    /// The reason why the file was not copied.
    package let reason: Reason
}

extension NotificationAttachmentNotCopied.Reason {
    /// The reason as the end of a sentence.
    fileprivate var text: String {
        switch self {
        case .missing: "it does not exist"
        case .notAFile: "it is not a plain file with an absolute path"
        case .tooLarge(let limit): "it has more than \(limit) bytes, so it is shown from its path"
        case .noRoom: "there is no room for a copy, so it is shown from its path"
        case .failed(let text): text
        }
    }

    /// Whether the file itself can be shown.
    var leavesFile: Bool {
        switch self {
        case .tooLarge, .noRoom: true
        case .missing, .notAFile, .failed: false
        }
    }
}

extension UserNotificationError {
    /// Creates the error that a file could not be copied.
    init(_ failure: NotificationAttachmentNotCopied) {
        self.init(
            .pictureNotCopied,
            "The picture of “\(failure.identifier)” at \(failure.path) was not copied: "
                + "\(failure.reason.text). Give the path of a small picture that exists.",
            cause: failure
        )
    }
}
