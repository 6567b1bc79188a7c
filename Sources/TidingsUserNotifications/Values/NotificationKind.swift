// SPDX-License-Identifier: Apache-2.0

/// A hint about what has happened, from which a picture or a sound may be chosen.
///
/// The names are those of the freedesktop specification; any other is as good.
///
/// ```swift
/// content.kind = .transferComplete
/// content.kind = NotificationKind("x-films.sale")
/// ```
public struct NotificationKind: Hashable, Sendable, Codable, CustomStringConvertible {
    /// The name, from the general to the special with dots between.
    public let name: String

    /// Creates a kind from its name.
    public init(_ name: String) {
        self.name = name
    }

    /// Reads the name.
    public init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode(String.self))
    }

    /// Writes the name.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(name)
    }

    /// The name.
    public var description: String { name }

    /// A file has come or gone completely.
    public static let transferComplete = NotificationKind("transfer.complete")
    /// A file could not come or go.
    public static let transferError = NotificationKind("transfer.error")
    /// Something about a transfer.
    public static let transfer = NotificationKind("transfer")
    /// Somebody has written a message.
    public static let imReceived = NotificationKind("im.received")
    /// A letter has come.
    public static let emailArrived = NotificationKind("email.arrived")
    /// There is a network.
    public static let networkConnected = NotificationKind("network.connected")
    /// There is no network any more.
    public static let networkDisconnected = NotificationKind("network.disconnected")
    /// A device is there.
    public static let deviceAdded = NotificationKind("device.added")
    /// A device is gone.
    public static let deviceRemoved = NotificationKind("device.removed")
}
