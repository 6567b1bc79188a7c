// SPDX-License-Identifier: Apache-2.0

/// What a notification says to a person.
///
/// All of it is plain text and arrives as it was given: whoever shows it escapes what its own
/// format needs.
///
/// ```swift
/// let content = UserNotificationContent(
///     title: "Download complete",
///     body: "Lesson 1 is in your library.",
///     category: "DOWNLOAD_COMPLETE"
/// )
/// ```
public struct UserNotificationContent: Hashable, Sendable, Codable {
    /// The first line.
    public var title: String
    /// A line between title and body.
    public var subtitle: String
    /// The text.
    public var body: String
    /// What is heard, nil for silence.
    public var sound: NotificationSound?
    /// The number the program's badge shows from then on; nil leaves it as it is.
    public var badge: Int?
    /// The identifier of the category that has its actions.
    public var category: String?
    /// What the program wants back with the response.
    public var userInfo: [String: String]

    /// Creates a content; only the title is needed.
    ///
    /// - Parameters:
    ///   - title: The first line.
    ///   - subtitle: A line between title and body.
    ///   - body: The text.
    ///   - sound: What is heard.
    ///   - badge: The number the program's badge shows from then on.
    ///   - category: The identifier of the category that has its actions.
    ///   - userInfo: What the program wants back with the response.
    public init(
        title: String,
        subtitle: String = "",
        body: String = "",
        sound: NotificationSound? = nil,
        badge: Int? = nil,
        category: String? = nil,
        userInfo: [String: String] = [:]
    ) {
        self.title = title
        self.subtitle = subtitle
        self.body = body
        self.sound = sound
        self.badge = badge
        self.category = category
        self.userInfo = userInfo
    }
}

/// What is heard with a notification.
public struct NotificationSound: Hashable, Sendable, Codable {
    /// The name by which whoever plays it knows it.
    public let name: String

    private init(name: String) {
        self.name = name
    }

    /// The sound that notifications have where they are shown.
    public static let `default` = NotificationSound(name: "default")
}
