// SPDX-License-Identifier: Apache-2.0

/// The permissions for which a program asks a user.
public struct UserNotificationAuthorizationOptions: OptionSet, Hashable, Sendable, Codable {
    /// The options as bits.
    public let rawValue: Int

    /// Creates options from bits.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Showing notifications.
    public static let alert = UserNotificationAuthorizationOptions(rawValue: 1)
    /// Playing sounds with notifications.
    public static let sound = UserNotificationAuthorizationOptions(rawValue: 2)
    /// Showing a number on the program's icon.
    public static let badge = UserNotificationAuthorizationOptions(rawValue: 4)

    /// All permissions.
    package static let all: UserNotificationAuthorizationOptions = [.alert, .sound, .badge]
}
