// SPDX-License-Identifier: Apache-2.0

/// What can be shown of a notification where it is shown, or what was left out of one.
///
/// A backend tells its own in ``NotificationBackend/features``; what was left out of one
/// notification is in ``NotificationOutcome/accepted(degraded:)``.
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

    /// A text under the title.
    public static let body = NotificationFeatures(rawValue: 1 << 0)
    /// A line between title and body.
    public static let subtitle = NotificationFeatures(rawValue: 1 << 1)
    /// Buttons.
    public static let actions = NotificationFeatures(rawValue: 1 << 2)
    /// A field for an answer in words.
    public static let textReply = NotificationFeatures(rawValue: 1 << 3)
    /// The usual sound, or one with a name.
    public static let sound = NotificationFeatures(rawValue: 1 << 4)
    /// A sound from a file.
    public static let soundFile = NotificationFeatures(rawValue: 1 << 5)
    /// A picture.
    public static let image = NotificationFeatures(rawValue: 1 << 6)
    /// A recording to listen to.
    public static let audio = NotificationFeatures(rawValue: 1 << 7)
    /// A film.
    public static let video = NotificationFeatures(rawValue: 1 << 8)
    /// How much it may disturb.
    public static let level = NotificationFeatures(rawValue: 1 << 9)
    /// Notifications of one thread shown together.
    public static let thread = NotificationFeatures(rawValue: 1 << 10)
    /// A hint about what happened, for the picture or the sound.
    public static let kind = NotificationFeatures(rawValue: 1 << 11)
    /// A number at the program's name.
    public static let badge = NotificationFeatures(rawValue: 1 << 12)
    /// A notification takes the place of an earlier one.
    public static let replacement = NotificationFeatures(rawValue: 1 << 13)
    /// What the person does comes back.
    public static let responses = NotificationFeatures(rawValue: 1 << 14)
    /// Why a notification is no longer shown comes back.
    public static let closeReasons = NotificationFeatures(rawValue: 1 << 15)
    /// A token with which the program may raise its window comes with a response.
    public static let activationToken = NotificationFeatures(rawValue: 1 << 16)
    /// Buttons that destroy something look like it.
    public static let destructive = NotificationFeatures(rawValue: 1 << 17)
    /// Buttons that bring the program to the front.
    public static let foreground = NotificationFeatures(rawValue: 1 << 18)

    /// All of them.
    public static let all = NotificationFeatures(rawValue: (1 << 19) - 1)

    private static let names: [(NotificationFeatures, String)] = [
        (.body, "body"), (.subtitle, "subtitle"), (.actions, "actions"),
        (.textReply, "textReply"), (.sound, "sound"), (.soundFile, "soundFile"),
        (.image, "image"), (.audio, "audio"), (.video, "video"), (.level, "level"),
        (.thread, "thread"), (.kind, "kind"), (.badge, "badge"),
        (.replacement, "replacement"), (.responses, "responses"),
        (.closeReasons, "closeReasons"), (.activationToken, "activationToken"),
        (.destructive, "destructive"), (.foreground, "foreground"),
    ]
}

extension NotificationFeatures: CustomStringConvertible {
    /// The names of the features, with commas between them.
    public var description: String {
        Self.names.filter { contains($0.0) }.map(\.1).joined(separator: ", ")
    }
}
