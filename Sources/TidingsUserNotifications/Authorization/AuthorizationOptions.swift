// SPDX-License-Identifier: Apache-2.0

/// The permissions that a program asks a person for.
public struct AuthorizationOptions: OptionSet, Hashable, Sendable, Codable {
    /// The options as bits.
    public let rawValue: Int

    /// Creates options from bits.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Showing notifications.
    public static let alert = AuthorizationOptions(rawValue: 1)
    /// Playing sounds with notifications.
    public static let sound = AuthorizationOptions(rawValue: 2)
    /// Showing a number on the program's icon.
    public static let badge = AuthorizationOptions(rawValue: 4)

    /// All permissions.
    public static let all: AuthorizationOptions = [.alert, .sound, .badge]
}
