// SPDX-License-Identifier: Apache-2.0

/// A value in a report: a context, or a key that was set.
///
/// ```swift
/// reporter.record(error, context: ["attempt": 2, "host": "example.org"])
/// ```
@nonexhaustive public enum ReportValue: Hashable, Sendable {
    /// A text. It is redacted and cut when it is recorded.
    case text(String)
    /// A whole number.
    case integer(Int)
    /// A number.
    case number(Double)
    /// Yes or no.
    case flag(Bool)
}

extension ReportValue: ExpressibleByStringInterpolation {
    /// Creates a text.
    public init(stringLiteral value: String) {
        self = .text(value)
    }
}

extension ReportValue: ExpressibleByIntegerLiteral {
    /// Creates a whole number.
    public init(integerLiteral value: Int) {
        self = .integer(value)
    }
}

extension ReportValue: ExpressibleByFloatLiteral {
    /// Creates a number.
    public init(floatLiteral value: Double) {
        self = .number(value)
    }
}

extension ReportValue: ExpressibleByBooleanLiteral {
    /// Creates a yes or no.
    public init(booleanLiteral value: Bool) {
        self = .flag(value)
    }
}

extension ReportValue: CustomStringConvertible {
    /// The value as text.
    public var description: String {
        switch self {
        case .text(let text): text
        case .integer(let number): "\(number)"
        case .number(let number): "\(number)"
        case .flag(let flag): "\(flag)"
        }
    }
}

extension ReportValue: Codable {
    /// Reads a text, a number, or a yes or no.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let flag = try? container.decode(Bool.self) {
            self = .flag(flag)
        } else if let number = try? container.decode(Int.self) {
            self = .integer(number)
        } else if let number = try? container.decode(Double.self) {
            self = .number(number)
        } else {
            self = .text(try container.decode(String.self))
        }
    }

    /// Writes a text, a number, or a yes or no; a number that JSON has no form for becomes text.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .text(let text): try container.encode(text)
        case .integer(let number): try container.encode(number)
        case .number(let number) where number.isFinite: try container.encode(number)
        case .number(let number): try container.encode("\(number)")
        case .flag(let flag): try container.encode(flag)
        }
    }
}
