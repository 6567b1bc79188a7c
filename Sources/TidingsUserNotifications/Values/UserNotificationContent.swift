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
    /// Pictures, recordings and films; those that cannot be shown are left out.
    public var attachments: [NotificationAttachment]
    /// What is heard, nil for silence.
    public var sound: NotificationSound?
    /// The number the program's badge shows from then on; nil leaves it as it is.
    public var badge: Int?
    /// The identifier of the category that has its actions.
    public var category: String?
    /// A name that notifications share which belong together.
    public var thread: String?
    /// How much it may disturb.
    public var level: NotificationLevel
    /// A hint about what has happened.
    public var kind: NotificationKind?
    /// What the program wants back with the response.
    public var userInfo: [String: NotificationValue]

    /// Creates a content; only the title is needed.
    ///
    /// - Parameters:
    ///   - title: The first line.
    ///   - subtitle: A line between title and body.
    ///   - body: The text.
    ///   - attachments: Pictures, recordings and films.
    ///   - sound: What is heard.
    ///   - badge: The number the program's badge shows from then on.
    ///   - category: The identifier of the category that has its actions.
    ///   - thread: A name that notifications share which belong together.
    ///   - level: How much it may disturb.
    ///   - kind: A hint about what has happened.
    ///   - userInfo: What the program wants back with the response.
    public init(
        title: String,
        subtitle: String = "",
        body: String = "",
        attachments: [NotificationAttachment] = [],
        sound: NotificationSound? = nil,
        badge: Int? = nil,
        category: String? = nil,
        thread: String? = nil,
        level: NotificationLevel = .active,
        kind: NotificationKind? = nil,
        userInfo: [String: NotificationValue] = [:]
    ) {
        self.title = title
        self.subtitle = subtitle
        self.body = body
        self.attachments = attachments
        self.sound = sound
        self.badge = badge
        self.category = category
        self.thread = thread
        self.level = level
        self.kind = kind
        self.userInfo = userInfo
    }
}
