// SPDX-License-Identifier: Apache-2.0

/// The parts of a notification that a backend can show, or that it left out.
///
/// ``NotificationBackend/features`` lists those of a backend, and
/// ``NotificationOutcome/accepted(degraded:)`` those that were left out of one notification.
///
/// ```swift
/// if case .accepted(let degraded) = await receipt.outcome, degraded.contains(.actions) {
///     showTheButtonsInTheProgram()
/// }
/// ```
public struct NotificationFeatures: OptionSet, Codable, Hashable, Sendable {
    /// The features as bits.
    public let rawValue: Int

    /// Creates features from bits.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// A text below the title.
    public static let body = NotificationFeatures(rawValue: 1 << 0)
    /// A line between title and body.
    public static let subtitle = NotificationFeatures(rawValue: 1 << 1)
    /// Buttons.
    public static let actions = NotificationFeatures(rawValue: 1 << 2)
    /// A text field for a reply.
    public static let textReply = NotificationFeatures(rawValue: 1 << 3)
    /// The default sound or a named one.
    public static let sound = NotificationFeatures(rawValue: 1 << 4)
    /// A sound from a file.
    public static let soundFile = NotificationFeatures(rawValue: 1 << 5)
    /// A picture.
    public static let image = NotificationFeatures(rawValue: 1 << 6)
    /// A bar with the progress of the event.
    public static let progress = NotificationFeatures(rawValue: 1 << 7)
    /// The requested time on screen.
    public static let timeOnScreen = NotificationFeatures(rawValue: 1 << 8)
    /// The level of interruption.
    public static let level = NotificationFeatures(rawValue: 1 << 9)
    /// Notifications of one thread shown as a group.
    public static let thread = NotificationFeatures(rawValue: 1 << 10)
    /// A hint about the event, for an icon or a sound.
    public static let kind = NotificationFeatures(rawValue: 1 << 11)
    /// A number on the program's icon.
    public static let badge = NotificationFeatures(rawValue: 1 << 12)
    /// The replacement of a visible notification by a later one.
    public static let replacement = NotificationFeatures(rawValue: 1 << 13)
    /// Responses of the person.
    public static let responses = NotificationFeatures(rawValue: 1 << 14)
    /// The reason why a notification is no longer shown.
    public static let closeReasons = NotificationFeatures(rawValue: 1 << 15)
    /// A token in the response with which the program may raise its window.
    public static let activationToken = NotificationFeatures(rawValue: 1 << 16)
    /// Marked buttons for actions that destroy data.
    public static let destructive = NotificationFeatures(rawValue: 1 << 17)
    /// Buttons that bring the program to the foreground.
    public static let foreground = NotificationFeatures(rawValue: 1 << 18)

    /// Texts of more than 128 KiB, which are otherwise cut at that length.
    public static let longText = NotificationFeatures(rawValue: 1 << 19)

    /// Listing a notification without a bubble; other backends leave it to the program's own list.
    public static let list = NotificationFeatures(rawValue: 1 << 20)

    /// All features.
    public static let all = NotificationFeatures(rawValue: (1 << 21) - 1)

    private static let names: [(NotificationFeatures, String)] = [
        (.body, "body"), (.subtitle, "subtitle"), (.actions, "actions"),
        (.textReply, "textReply"), (.sound, "sound"), (.soundFile, "soundFile"),
        (.image, "image"), (.progress, "progress"), (.timeOnScreen, "timeOnScreen"),
        (.level, "level"),
        (.thread, "thread"), (.kind, "kind"), (.badge, "badge"),
        (.replacement, "replacement"), (.responses, "responses"),
        (.closeReasons, "closeReasons"), (.activationToken, "activationToken"),
        (.destructive, "destructive"), (.foreground, "foreground"), (.longText, "longText"),
        (.list, "list"),
    ]
}

extension NotificationFeatures: CustomStringConvertible {
    /// The names of the features, separated by commas.
    public var description: String {
        Self.names.filter { contains($0.0) }.map(\.1).joined(separator: ", ")
    }
}
