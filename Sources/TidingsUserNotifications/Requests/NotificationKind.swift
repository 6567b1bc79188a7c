// SPDX-License-Identifier: Apache-2.0

/// A hint about the event, from which a backend may choose an icon or a sound.
///
/// The constants are names from the freedesktop specification; any other name is allowed.
///
/// ```swift
/// content.kind = .transferComplete
/// content.kind = NotificationKind("x-films.sale")
/// ```
public struct NotificationKind: Hashable, Sendable, Codable, CustomStringConvertible {
    /// The name, from the general to the special, separated by dots.
    public let name: String

    /// Creates a kind from its name.
    public init(_ name: String) {
        self.name = name
    }

    /// Decodes the name.
    public init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode(String.self))
    }

    /// Encodes the name.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(name)
    }

    /// The name.
    public var description: String { name }

    /// A file transfer completed.
    public static let transferComplete = NotificationKind("transfer.complete")
    /// A file transfer failed.
    public static let transferError = NotificationKind("transfer.error")
}
