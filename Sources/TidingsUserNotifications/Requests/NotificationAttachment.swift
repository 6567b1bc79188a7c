// SPDX-License-Identifier: Apache-2.0

/// A picture, a recording or a film that is attached to a notification.
///
/// The caller keeps its file: the center neither moves nor deletes it. If the backend cannot show
/// this kind of media, it shows the notification without it, and the outcome names the feature.
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
    /// The kind of media.
    @nonexhaustive public enum Media: String, Hashable, Sendable, Codable {
        /// A picture.
        case image
        /// A sound recording.
        case audio
        /// A film.
        case video
    }

    /// The source of the media.
    @nonexhaustive public enum Source: Hashable, Sendable, Codable {
        /// A file with this absolute path.
        case file(String)
        /// A picture in memory.
        case pixels(NotificationImage)
    }

    /// The kind of media.
    public let media: Media
    /// The source of the media.
    public let source: Source

    /// Creates a picture from the file at an absolute path.
    public static func image(file path: String) -> NotificationAttachment {
        NotificationAttachment(media: .image, source: .file(path))
    }

    /// Creates a picture from memory.
    public static func image(_ image: NotificationImage) -> NotificationAttachment {
        NotificationAttachment(media: .image, source: .pixels(image))
    }

    /// Creates a recording from the file at an absolute path.
    public static func audio(file path: String) -> NotificationAttachment {
        NotificationAttachment(media: .audio, source: .file(path))
    }

    /// Creates a film from the file at an absolute path.
    public static func video(file path: String) -> NotificationAttachment {
        NotificationAttachment(media: .video, source: .file(path))
    }
}

extension NotificationAttachment {
    /// The path of the file; nil for a picture in memory.
    var path: String? {
        if case .file(let path) = source { path } else { nil }
    }

    /// A copy that refers to another file.
    func with(path: String) -> NotificationAttachment {
        NotificationAttachment(media: media, source: .file(path))
    }

    /// The feature that a backend needs to show it.
    var neededFeature: NotificationFeatures {
        switch media {
        case .image: .image
        case .audio: .audio
        case .video: .video
        }
    }
}
