// SPDX-License-Identifier: Apache-2.0

/// The content of a notification.
///
/// All strings are plain and arrive unchanged, because the backend escapes special characters where
/// necessary. On Linux desktops, line breaks outside the body become spaces.
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
    /// The picture, left out if the backend cannot show pictures.
    public var picture: UserNotificationPicture? {
        get { attachments.first }
        set { attachments = [newValue].compactMap(\.self) }
    }
    /// The picture, in the form in which records have it.
    package var attachments: [UserNotificationPicture]
    /// The sound, or nil for silence.
    public var sound: UserNotificationSound?
    /// The program's badge after the delivery, or nil for no change.
    public var badge: Int?
    /// The identifier of the category with the actions.
    public var category: String?
    /// The actions of this notification, or nil for the actions of the category.
    public var actions: [UserNotificationAction]?
    /// The name of the group that the notification belongs to.
    public var thread: String?
    /// The level of interruption.
    public var level: UserNotificationLevel
    /// A hint about the event.
    public var kind: UserNotificationKind?
    /// The progress of the event from 0 to 1, shown as a bar, or nil for none.
    ///
    /// Requests with the same identifier move the bar in place. The center shows at most four
    /// requests in a second, always the newest, and the outcome of the rest is `replaced`. Values
    /// outside the range become the nearest end of the range.
    public var progress: Double? {
        // NaN cannot be drawn or stored.
        didSet { progress = progress.map { $0 > 0 ? min($0, 1) : 0 } }
    }
    /// The time after which a banner disappears, where nil or zero means the backend's own time.
    public var timeOnScreen: Duration?
    /// Values that the program gets back with the response.
    public var userInfo: [String: UserNotificationValue]

    /// Creates a content, for which only the title is required.
    ///
    /// - Parameters:
    ///   - title: The first line.
    ///   - subtitle: A line between title and body.
    ///   - body: The text.
    ///   - picture: The picture.
    ///   - sound: The sound.
    ///   - badge: The program's badge after the delivery.
    ///   - category: The identifier of the category with the actions.
    ///   - thread: The name of the group that the notification belongs to.
    ///   - level: The level of interruption.
    ///   - kind: A hint about the event.
    ///   - userInfo: Values that the program gets back with the response.
    public init(
        title: String,
        subtitle: String = "",
        body: String = "",
        picture: UserNotificationPicture? = nil,
        sound: UserNotificationSound? = nil,
        badge: Int? = nil,
        category: String? = nil,
        thread: String? = nil,
        level: UserNotificationLevel = .active,
        kind: UserNotificationKind? = nil,
        userInfo: [String: UserNotificationValue] = [:]
    ) {
        self.title = title
        self.subtitle = subtitle
        self.body = body
        attachments = [picture].compactMap(\.self)
        self.sound = sound
        self.badge = badge
        self.category = category
        self.thread = thread
        self.level = level
        self.kind = kind
        self.userInfo = userInfo
    }
}
