// SPDX-License-Identifier: Apache-2.0

/// A JSON value.
package enum NotificationValue: Hashable, Sendable {
    /// Null.
    case null
    /// A Boolean.
    case bool(Bool)
    /// An integer.
    case integer(Int)
    /// A floating-point number.
    ///
    /// A number without a fraction is decoded as an integer.
    case number(Double)
    /// A string.
    case string(String)
    /// An array.
    case array([NotificationValue])
    /// A dictionary.
    case object([String: NotificationValue])
}

extension NotificationValue {
    /// The Boolean, or nil for other kinds of values.
    package var bool: Bool? {
        if case .bool(let value) = self { value } else { nil }
    }

    /// The integer, or nil for other kinds of values.
    package var integer: Int? {
        if case .integer(let value) = self { value } else { nil }
    }

    /// The floating-point number or the integer, or nil for other kinds of values.
    package var number: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .number(let value): value
        case .null, .bool, .string, .array, .object: nil
        }
    }

    /// The string, or nil for other kinds of values.
    package var string: String? {
        if case .string(let value) = self { value } else { nil }
    }
}

extension NotificationValue: ExpressibleByNilLiteral {
    /// Creates null.
    package init(nilLiteral: ()) { self = .null }
}

extension NotificationValue: ExpressibleByBooleanLiteral {
    /// Creates a Boolean.
    package init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension NotificationValue: ExpressibleByIntegerLiteral {
    /// Creates an integer.
    package init(integerLiteral value: Int) { self = .integer(value) }
}

extension NotificationValue: ExpressibleByFloatLiteral {
    /// Creates a floating-point number.
    package init(floatLiteral value: Double) { self = .number(value) }
}

extension NotificationValue: ExpressibleByStringInterpolation {
    /// Creates a string.
    package init(stringLiteral value: String) { self = .string(value) }
}

extension NotificationValue: ExpressibleByArrayLiteral {
    /// Creates an array.
    package init(arrayLiteral elements: NotificationValue...) { self = .array(elements) }
}

extension NotificationValue: ExpressibleByDictionaryLiteral {
    /// Creates a dictionary, where the last of several elements with one key wins.
    package init(dictionaryLiteral elements: (String, NotificationValue)...) {
        self = .object(Dictionary(elements) { _, last in last })
    }
}
