// SPDX-License-Identifier: Apache-2.0

/// A hint about the event, from which a backend may choose an icon or a sound.
///
/// The constants are names from the freedesktop specification, but any other name is allowed.
///
/// ```swift
/// content.kind = .transferComplete
/// content.kind = .init(rawValue: "x-films.sale")
/// ```
public struct UserNotificationKind: RawRepresentable, Hashable, Sendable, Codable {
    /// The name, from the general to the special, separated by dots.
    public let rawValue: String

    /// Creates a kind from its name.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// A file transfer completed.
    public static let transferComplete = UserNotificationKind(rawValue: "transfer.complete")
    /// A file transfer failed.
    public static let transferError = UserNotificationKind(rawValue: "transfer.error")
}
