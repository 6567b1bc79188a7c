// SPDX-License-Identifier: Apache-2.0

/// What a program asks a person to allow.
public struct AuthorizationOptions: OptionSet, Hashable, Sendable, Codable {
    /// The options as bits.
    public let rawValue: Int

    /// Creates options from bits.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// To show notifications.
    public static let alert = AuthorizationOptions(rawValue: 1)
    /// To make a sound with them.
    public static let sound = AuthorizationOptions(rawValue: 2)
    /// To show a number at the program's name or picture.
    public static let badge = AuthorizationOptions(rawValue: 4)

    /// All of it.
    public static let all: AuthorizationOptions = [.alert, .sound, .badge]
}

/// How a notification is shown.
public struct PresentationOptions: OptionSet, Hashable, Sendable, Codable {
    /// The options as bits.
    public let rawValue: Int

    /// Creates options from bits.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// As a banner, at once.
    public static let banner = PresentationOptions(rawValue: 1)
    /// With its sound.
    public static let sound = PresentationOptions(rawValue: 2)
    /// In the list of whoever shows it.
    public static let list = PresentationOptions(rawValue: 4)

    /// What a program that is not in front shows.
    public static let all: PresentationOptions = [.banner, .sound, .list]
}
