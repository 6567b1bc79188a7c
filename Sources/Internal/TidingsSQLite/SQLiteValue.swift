// SPDX-License-Identifier: Apache-2.0

/// A value of one of SQLite's five storage classes.
package enum SQLiteValue: Hashable, Sendable {
    case integer(Int)
    case real(Double)
    case text(String)
    case blob([UInt8])
    case null
}

extension SQLiteValue: ExpressibleByIntegerLiteral {
    /// Creates an integer.
    package init(integerLiteral value: Int) {
        self = .integer(value)
    }
}

extension SQLiteValue: ExpressibleByFloatLiteral {
    /// Creates a real number.
    package init(floatLiteral value: Double) {
        self = .real(value)
    }
}

extension SQLiteValue: ExpressibleByStringLiteral {
    /// Creates a text.
    package init(stringLiteral value: String) {
        self = .text(value)
    }
}

extension SQLiteValue: ExpressibleByBooleanLiteral {
    /// Creates the integer 1 for `true` and 0 for `false`, as SQLite does.
    package init(booleanLiteral value: Bool) {
        self = .integer(value ? 1 : 0)
    }
}

extension SQLiteValue {
    /// Creates the integer 1 for `true` and 0 for `false`.
    package static func bool(_ value: Bool) -> SQLiteValue {
        .integer(value ? 1 : 0)
    }

    /// Returns the text, or null for nil.
    package static func optional(_ text: String?) -> SQLiteValue { text.map { .text($0) } ?? .null }

    /// Returns the number, or null for nil.
    package static func optional(_ number: Int64?) -> SQLiteValue {
        number.map { .integer(Int($0)) } ?? .null
    }
}
