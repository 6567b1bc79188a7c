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
    package init(integerLiteral value: Int) {
        self = .integer(value)
    }
}

extension SQLiteValue: ExpressibleByFloatLiteral {
    package init(floatLiteral value: Double) {
        self = .real(value)
    }
}

extension SQLiteValue: ExpressibleByStringLiteral {
    package init(stringLiteral value: String) {
        self = .text(value)
    }
}

extension SQLiteValue: ExpressibleByBooleanLiteral {
    /// `true` is stored as 1 and `false` as 0, as SQLite itself does.
    package init(booleanLiteral value: Bool) {
        self = .integer(value ? 1 : 0)
    }
}

extension SQLiteValue {
    /// Creates the integer 1 or 0.
    package static func bool(_ value: Bool) -> SQLiteValue {
        .integer(value ? 1 : 0)
    }
}
