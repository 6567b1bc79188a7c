// SPDX-License-Identifier: Apache-2.0

/// A picture that is attached to a notification.
///
/// The caller keeps its file: the center neither moves nor deletes it. If the backend cannot show
/// pictures, it shows the notification without it, and the outcome names the feature.
///
/// A store that outlives the program keeps a copy of the file, and pending and delivered
/// notifications refer to the copy. For a scheduled request the copy exists when `add` returns, for
/// others when the receipt has its outcome; from then on the caller may change or delete the file.
/// The copy is removed soon after its notification was removed, replaced or responded to. If a file
/// cannot be copied, the center posts ``NotificationAttachmentNotCopied``. A store in memory copies
/// nothing.
///
/// ```swift
/// content.attachments = [.image(file: "/srv/films/7/cover.jpg")]
/// ```
public struct NotificationAttachment: Hashable, Sendable, Codable {
    /// The source of the picture.
    @nonexhaustive public enum Source: Hashable, Sendable, Codable {
        /// A file with this absolute path.
        case file(String)
        /// A picture in memory.
        case pixels(NotificationImage)
    }

    /// The source of the picture.
    public let source: Source

    /// Creates a picture from the file at an absolute path.
    public static func image(file path: String) -> NotificationAttachment {
        NotificationAttachment(source: .file(path))
    }

    /// Creates a picture from memory.
    public static func image(_ image: NotificationImage) -> NotificationAttachment {
        NotificationAttachment(source: .pixels(image))
    }
}

extension NotificationAttachment {
    /// The path of the file; nil for a picture in memory.
    var path: String? {
        if case .file(let path) = source { path } else { nil }
    }

    /// A copy that refers to another file.
    func with(path: String) -> NotificationAttachment {
        NotificationAttachment(source: .file(path))
    }
}
