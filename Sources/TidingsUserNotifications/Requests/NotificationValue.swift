// SPDX-License-Identifier: Apache-2.0

/// A value that a program attaches to a notification and gets back with the response.
///
/// It can hold what JSON can. It is stored with the notification, so that a response after a
/// restart still has it.
///
/// ```swift
/// content.userInfo = ["item": 7, "tags": ["new", "long"]]
/// let item = response.notification.content.userInfo["item"]?.integer
/// ```
@nonexhaustive public enum NotificationValue: Hashable, Sendable {
    /// Null.
    case null
    /// A Boolean.
    case bool(Bool)
    /// An integer.
    case integer(Int)
    /// A floating-point number; one without a fraction is decoded as an integer.
    case number(Double)
    /// A string.
    case string(String)
    /// An array.
    case array([NotificationValue])
    /// A dictionary.
    case object([String: NotificationValue])
}

extension NotificationValue {
    /// The Boolean; nil for other kinds of values.
    public var bool: Bool? {
        if case .bool(let value) = self { value } else { nil }
    }

    /// The integer; nil for other kinds of values.
    public var integer: Int? {
        if case .integer(let value) = self { value } else { nil }
    }

    /// The number, also of an integer; nil for other kinds of values.
    public var number: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .number(let value): value
        default: nil
        }
    }

    /// The string; nil for other kinds of values.
    public var string: String? {
        if case .string(let value) = self { value } else { nil }
    }
}

extension NotificationValue: ExpressibleByNilLiteral {
    /// Creates null.
    public init(nilLiteral: ()) { self = .null }
}

extension NotificationValue: ExpressibleByBooleanLiteral {
    /// Creates a Boolean.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension NotificationValue: ExpressibleByIntegerLiteral {
    /// Creates an integer.
    public init(integerLiteral value: Int) { self = .integer(value) }
}

extension NotificationValue: ExpressibleByFloatLiteral {
    /// Creates a floating-point number.
    public init(floatLiteral value: Double) { self = .number(value) }
}

extension NotificationValue: ExpressibleByStringInterpolation {
    /// Creates a string.
    public init(stringLiteral value: String) { self = .string(value) }
}

extension NotificationValue: ExpressibleByArrayLiteral {
    /// Creates an array.
    public init(arrayLiteral elements: NotificationValue...) { self = .array(elements) }
}

extension NotificationValue: ExpressibleByDictionaryLiteral {
    /// Creates a dictionary; of two elements with one key, the last one wins.
    public init(dictionaryLiteral elements: (String, NotificationValue)...) {
        self = .object(Dictionary(elements) { _, last in last })
    }
}
