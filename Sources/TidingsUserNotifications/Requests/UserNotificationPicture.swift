// SPDX-License-Identifier: Apache-2.0

/// A picture that is shown with a notification.
///
/// The caller keeps the file. The center neither moves nor deletes the original. If the backend
/// cannot show pictures, the notification is shown without the picture, and the outcome names the
/// feature.
///
/// A store that outlives the program keeps a copy of the file, and pending and delivered
/// notifications refer to the copy. For a scheduled request the copy exists when `add` returns, for
/// other requests when the receipt has an outcome. From then on the caller may change or delete the
/// file. The copy is removed soon after the notification was removed, replaced or responded to. A
/// store in memory copies nothing.
///
/// If a file cannot be copied, the center posts ``UserNotificationStoreFailed`` with the code
/// `pictureNotCopied`. A file that is too large, or without room for a copy, is shown from the
/// original path as long as the file exists. Other files are left out.
///
/// ```swift
/// content.picture = .file("/srv/films/7/cover.jpg")
/// ```
public struct UserNotificationPicture: Hashable, Sendable, Codable {
    /// The source of the picture.
    package enum Source: Hashable, Sendable, Codable {
        /// A file with this absolute path.
        case file(String)
        /// A picture in memory.
        case pixels(NotificationImage)
    }

    /// The source of the picture.
    package let source: Source

    /// Returns the picture in the file at an absolute path.
    public static func file(_ path: String) -> UserNotificationPicture {
        UserNotificationPicture(source: .file(path))
    }

    /// Returns a picture in memory, with a byte each for red, green, blue and an optional alpha.
    ///
    /// ```swift
    /// content.picture = try .pixels([255, 0, 0], width: 1, height: 1)
    /// ```
    ///
    /// - Parameters:
    ///   - bytes: The rows without padding, the top one first.
    ///   - width: The width in pixels, up to 65,536.
    ///   - height: The height in pixels, up to 65,536.
    ///   - hasAlpha: Whether each pixel has a fourth byte for the opacity, not premultiplied.
    /// - Returns: The picture.
    /// - Throws: ``UserNotificationError`` with `.invalidContent` if the size is out of range or
    ///   needs more bytes.
    public static func pixels(
        _ bytes: [UInt8],
        width: Int,
        height: Int,
        hasAlpha: Bool = false
    ) throws(UserNotificationError) -> UserNotificationPicture {
        .image(
            try NotificationImage(width: width, height: height, hasAlpha: hasAlpha, pixels: bytes)
        )
    }

    /// Returns a picture in memory.
    package static func image(_ image: NotificationImage) -> UserNotificationPicture {
        UserNotificationPicture(source: .pixels(image))
    }
}

extension UserNotificationPicture {
    /// The path of the file, or nil for a picture in memory.
    var path: String? {
        if case .file(let path) = source { path } else { nil }
    }

    /// A copy that refers to another file.
    func with(path: String) -> UserNotificationPicture { .file(path) }
}
