// SPDX-License-Identifier: Apache-2.0

/// A picture, a recording or a film that comes with a notification.
///
/// The file stays the caller's: nobody moves or deletes it. Where its kind cannot be shown, the
/// notification is shown without it and its outcome says so.
///
/// A store that outlives the program keeps a copy of the file, and pending and delivered
/// notifications name the copy. It is there when `add` returns for a request that waits for its
/// time, and when the receipt has its outcome for one that does not; from then on the caller may
/// change or delete the file. The copy goes with its notification: soon after it was removed,
/// replaced or responded to. A file that cannot be copied is told of as
/// ``NotificationAttachmentNotCopied``. A store in memory copies nothing.
///
/// ```swift
/// content.attachments = [.image(file: "/srv/films/7/cover.jpg")]
/// ```
public struct NotificationAttachment: Hashable, Sendable, Codable {
    /// What a person does with it.
    @nonexhaustive public enum Media: String, Hashable, Sendable, Codable {
        /// Looks at it.
        case image
        /// Listens to it.
        case audio
        /// Watches it.
        case video
    }

    /// Where it is.
    @nonexhaustive public enum Source: Hashable, Sendable, Codable {
        /// In the file with this absolute path.
        case file(String)
        /// In memory.
        case pixels(NotificationImage)
    }

    /// What a person does with it.
    public let media: Media
    /// Where it is.
    public let source: Source

    /// A picture in a file, named by its absolute path.
    public static func image(file path: String) -> NotificationAttachment {
        NotificationAttachment(media: .image, source: .file(path))
    }

    /// A picture in memory.
    public static func image(_ image: NotificationImage) -> NotificationAttachment {
        NotificationAttachment(media: .image, source: .pixels(image))
    }

    /// A recording in a file, named by its absolute path.
    public static func audio(file path: String) -> NotificationAttachment {
        NotificationAttachment(media: .audio, source: .file(path))
    }

    /// A film in a file, named by its absolute path.
    public static func video(file path: String) -> NotificationAttachment {
        NotificationAttachment(media: .video, source: .file(path))
    }
}

extension NotificationAttachment {
    /// The path of its file; nil for a picture in memory.
    var path: String? {
        if case .file(let path) = source { path } else { nil }
    }

    /// The same in another file.
    func with(path: String) -> NotificationAttachment {
        NotificationAttachment(media: media, source: .file(path))
    }

    /// What has to be shown for it to be shown.
    var neededFeature: NotificationFeatures {
        switch media {
        case .image: .image
        case .audio: .audio
        case .video: .video
        }
    }
}
