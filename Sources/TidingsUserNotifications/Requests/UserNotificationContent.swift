// SPDX-License-Identifier: Apache-2.0

/// The content of a notification.
///
/// All texts are plain and arrive unchanged: the backend escapes what its own format needs. On
/// Linux desktops, line breaks outside the body become spaces.
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
    /// The picture; left out if the backend cannot show it.
    public var picture: UserNotificationPicture? {
        get { attachments.first }
        set { attachments = [newValue].compactMap(\.self) }
    }
    /// The picture, in the form in which records have it.
    package var attachments: [UserNotificationPicture]
    /// The sound; nil for silence.
    public var sound: UserNotificationSound?
    /// The program's badge after the delivery; nil leaves it unchanged.
    public var badge: Int?
    /// The identifier of the category with the actions.
    public var category: String?
    /// The actions of this notification; nil for those of the category.
    public var actions: [UserNotificationAction]?
    /// The name of the group of notifications that it belongs to.
    public var thread: String?
    /// The level of interruption.
    public var level: UserNotificationLevel
    /// A hint about the event.
    public var kind: UserNotificationKind?
    /// The progress of the event from 0 to 1, as a bar; nil for none.
    ///
    /// Requests with the same identifier move the bar in place. The center shows at most four of
    /// them in a second, always the newest, and the outcome of the others is `replaced`. Values
    /// outside the range become its nearest end.
    public var progress: Double? {
        // NaN is no number to draw or to store.
        didSet { progress = progress.map { $0 > 0 ? min($0, 1) : 0 } }
    }
    /// The time after which a banner goes by itself; nil or zero for the backend's own.
    public var timeOnScreen: Duration?
    /// Values that the program gets back with the response.
    public var userInfo: [String: UserNotificationValue]

    /// Creates a content; only the title is required.
    ///
    /// - Parameters:
    ///   - title: The first line.
    ///   - subtitle: A line between title and body.
    ///   - body: The text.
    ///   - picture: The picture.
    ///   - sound: The sound.
    ///   - badge: The program's badge after the delivery.
    ///   - category: The identifier of the category with the actions.
    ///   - thread: The name of the group of notifications that it belongs to.
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
