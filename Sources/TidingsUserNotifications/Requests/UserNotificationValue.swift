// SPDX-License-Identifier: Apache-2.0

/// A value that a program attaches to a notification and gets back with the response.
///
/// The value holds any encodable value of the program, in JSON form. The store keeps the value with
/// the notification, so that a response after a restart still has the value.
///
/// ```swift
/// content.userInfo = ["item": "film-7", "place": try UserNotificationValue(place)]
/// let item = response.notification.content.userInfo["item"]?.string
/// let place = try response.notification.content.userInfo["place"]?.decode(as: Place.self)
/// ```
public struct UserNotificationValue: Hashable, Sendable {
    /// The value in JSON form.
    package var json: NotificationValue

    /// Creates a value from the JSON form.
    package init(json: NotificationValue) {
        self.json = json
    }

    /// Creates a value from an encodable value of the program.
    ///
    /// - Parameter value: The value to encode.
    /// - Throws: The error of encoding the value to JSON.
    public init(_ value: some Encodable) throws {
        json = try NotificationValue(encoding: value)
    }

    /// The string, or nil for other kinds of values.
    public var string: String? { json.string }

    /// Decodes a value of the program.
    ///
    /// - Parameter type: The type that was encoded.
    /// - Returns: The decoded value.
    /// - Throws: `DecodingError` if this value has another form.
    public func decode<Value: Decodable>(as type: Value.Type = Value.self) throws -> Value {
        try json.decode(as: type)
    }
}

extension UserNotificationValue: ExpressibleByStringInterpolation {
    /// Creates a string.
    public init(stringLiteral value: String) { json = .string(value) }
}

extension UserNotificationValue: Codable {
    /// Decodes a value.
    public init(from decoder: any Decoder) throws { json = try NotificationValue(from: decoder) }

    /// Encodes the value, where a number that is not finite becomes null.
    public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}
