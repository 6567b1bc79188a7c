// SPDX-License-Identifier: Apache-2.0

/// A value that a program gives a notification and wants back with the response.
///
/// Values are those that JSON knows. They are on disk while a notification waits, so that a
/// response after a restart still has them.
///
/// ```swift
/// content.userInfo = ["item": 7, "tags": ["new", "long"]]
/// let item = response.notification.content.userInfo["item"]?.integer
/// ```
@nonexhaustive public enum NotificationValue: Hashable, Sendable {
    /// Nothing.
    case null
    /// Yes or no.
    case bool(Bool)
    /// A whole number.
    case integer(Int)
    /// A number with a fraction; one without is read back as a whole number.
    case number(Double)
    /// A text.
    case string(String)
    /// Values in an order.
    case array([NotificationValue])
    /// Values under names.
    case object([String: NotificationValue])
}

extension NotificationValue {
    /// Whether it says yes; nil for other kinds of values.
    public var bool: Bool? {
        if case .bool(let value) = self { value } else { nil }
    }

    /// The whole number; nil for other kinds of values.
    public var integer: Int? {
        if case .integer(let value) = self { value } else { nil }
    }

    /// The number, whole or not; nil for other kinds of values.
    public var number: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .number(let value): value
        default: nil
        }
    }

    /// The text; nil for other kinds of values.
    public var string: String? {
        if case .string(let value) = self { value } else { nil }
    }
}

extension NotificationValue: ExpressibleByNilLiteral {
    /// Creates nothing.
    public init(nilLiteral: ()) { self = .null }
}

extension NotificationValue: ExpressibleByBooleanLiteral {
    /// Creates a yes or no.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension NotificationValue: ExpressibleByIntegerLiteral {
    /// Creates a whole number.
    public init(integerLiteral value: Int) { self = .integer(value) }
}

extension NotificationValue: ExpressibleByFloatLiteral {
    /// Creates a number.
    public init(floatLiteral value: Double) { self = .number(value) }
}

extension NotificationValue: ExpressibleByStringInterpolation {
    /// Creates a text.
    public init(stringLiteral value: String) { self = .string(value) }
}

extension NotificationValue: ExpressibleByArrayLiteral {
    /// Creates values in an order.
    public init(arrayLiteral elements: NotificationValue...) { self = .array(elements) }
}

extension NotificationValue: ExpressibleByDictionaryLiteral {
    /// Creates values under names; of two with one name the last counts.
    public init(dictionaryLiteral elements: (String, NotificationValue)...) {
        self = .object(Dictionary(elements) { _, last in last })
    }
}
