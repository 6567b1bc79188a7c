// SPDX-License-Identifier: Apache-2.0

/// The parts of a notification that a backend can show or has left out.
///
/// ``UserNotificationCenter/settings()`` returns the features that can be shown now, and
/// ``UserNotificationOutcome/accepted(degraded:)`` the features that were left out of one
/// notification.
///
/// ```swift
/// if case .accepted(let degraded) = await receipt.outcome, degraded.contains(.actions) {
///     showTheButtonsInTheProgram()
/// }
/// ```
public struct UserNotificationFeatures: OptionSet, Codable, Hashable, Sendable {
    /// The features as bits.
    public let rawValue: Int

    /// Creates features from bits.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// A text below the title.
    public static let body = UserNotificationFeatures(rawValue: 1 << 0)
    /// A line between title and body.
    public static let subtitle = UserNotificationFeatures(rawValue: 1 << 1)
    /// Buttons.
    public static let actions = UserNotificationFeatures(rawValue: 1 << 2)
    /// A text field for a reply.
    public static let textReply = UserNotificationFeatures(rawValue: 1 << 3)
    /// The default sound or a named one.
    public static let sound = UserNotificationFeatures(rawValue: 1 << 4)
    /// A sound from a file.
    public static let soundFile = UserNotificationFeatures(rawValue: 1 << 5)
    /// A picture.
    public static let image = UserNotificationFeatures(rawValue: 1 << 6)
    /// A bar with the progress of the event.
    public static let progress = UserNotificationFeatures(rawValue: 1 << 7)
    /// The requested time on screen.
    public static let timeOnScreen = UserNotificationFeatures(rawValue: 1 << 8)
    /// The level of interruption.
    public static let level = UserNotificationFeatures(rawValue: 1 << 9)
    /// Notifications of one thread shown as a group.
    public static let thread = UserNotificationFeatures(rawValue: 1 << 10)
    /// A hint about the event, for an icon or a sound.
    package static let kind = UserNotificationFeatures(rawValue: 1 << 11)
    /// A number on the program's icon.
    public static let badge = UserNotificationFeatures(rawValue: 1 << 12)
    /// The replacement of a visible notification by a later one.
    package static let replacement = UserNotificationFeatures(rawValue: 1 << 13)
    /// Responses of the user.
    package static let responses = UserNotificationFeatures(rawValue: 1 << 14)
    /// The reason why a notification is no longer shown.
    package static let closeReasons = UserNotificationFeatures(rawValue: 1 << 15)
    /// A token in the response with which the program may raise a window.
    package static let activationToken = UserNotificationFeatures(rawValue: 1 << 16)
    /// Marked buttons for actions that destroy data.
    public static let destructive = UserNotificationFeatures(rawValue: 1 << 17)
    /// Buttons that bring the program to the foreground.
    public static let foreground = UserNotificationFeatures(rawValue: 1 << 18)

    /// Strings of more than 128 KiB, which are otherwise cut at that length.
    public static let longText = UserNotificationFeatures(rawValue: 1 << 19)

    /// Listing a notification without a bubble.
    ///
    /// Other backends leave the notification to the program's own list.
    public static let list = UserNotificationFeatures(rawValue: 1 << 20)

    /// The start of the closed program when a request is due.
    public static let programStart = UserNotificationFeatures(rawValue: 1 << 21)

    /// All features.
    package static let all = UserNotificationFeatures(rawValue: (1 << 22) - 1)

    private static let names: [(UserNotificationFeatures, String)] = [
        (.body, "body"), (.subtitle, "subtitle"), (.actions, "actions"),
        (.textReply, "textReply"), (.sound, "sound"), (.soundFile, "soundFile"),
        (.image, "image"), (.progress, "progress"), (.timeOnScreen, "timeOnScreen"),
        (.level, "level"),
        (.thread, "thread"), (.kind, "kind"), (.badge, "badge"),
        (.replacement, "replacement"), (.responses, "responses"),
        (.closeReasons, "closeReasons"), (.activationToken, "activationToken"),
        (.destructive, "destructive"), (.foreground, "foreground"), (.longText, "longText"),
        (.list, "list"), (.programStart, "programStart"),
    ]
}

extension UserNotificationFeatures: CustomStringConvertible {
    /// The names of the features, separated by commas.
    public var description: String {
        Self.names.filter { contains($0.0) }.map(\.1).joined(separator: ", ")
    }
}
