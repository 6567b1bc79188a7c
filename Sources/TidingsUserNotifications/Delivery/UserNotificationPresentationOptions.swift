// SPDX-License-Identifier: Apache-2.0

/// The ways in which a notification is shown.
public struct UserNotificationPresentationOptions: OptionSet, Hashable, Sendable, Codable {
    /// The options as bits.
    public let rawValue: Int

    /// Creates options from bits.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// A banner, shown immediately.
    public static let banner = UserNotificationPresentationOptions(rawValue: 1)
    /// The sound of the notification.
    public static let sound = UserNotificationPresentationOptions(rawValue: 2)
    /// An entry in the backend's list of notifications.
    ///
    /// Without ``banner``, no bubble is drawn. A backend that has no such list leaves the
    /// notification to the program's own list, and the outcome names
    /// ``UserNotificationFeatures/list``.
    public static let list = UserNotificationPresentationOptions(rawValue: 4)

    /// All ways, as for a program in the background.
    package static let all: UserNotificationPresentationOptions = [.banner, .sound, .list]
}
