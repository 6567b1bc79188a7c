// SPDX-License-Identifier: Apache-2.0

/// A value in a report, either from a context or set under a key.
///
/// ```swift
/// reporter.record(error, context: ["attempt": 2, "host": "example.org"])
/// ```
@nonexhaustive public enum ReportValue: Hashable, Sendable {
    /// A text, which is redacted and cut when recorded.
    case text(String)
    /// An integer.
    case integer(Int)
    /// A floating-point number.
    case number(Double)
    /// A Boolean value.
    case flag(Bool)
}

extension ReportValue: ExpressibleByStringInterpolation {
    /// Creates a text.
    public init(stringLiteral value: String) {
        self = .text(value)
    }
}

extension ReportValue: ExpressibleByIntegerLiteral {
    /// Creates an integer.
    public init(integerLiteral value: Int) {
        self = .integer(value)
    }
}

extension ReportValue: ExpressibleByFloatLiteral {
    /// Creates a floating-point number.
    public init(floatLiteral value: Double) {
        self = .number(value)
    }
}

extension ReportValue: ExpressibleByBooleanLiteral {
    /// Creates a Boolean value.
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
    /// Decodes a text, a number or a Boolean value.
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

    /// Encodes a text, a number or a Boolean value.
    ///
    /// Infinities and NaN, which JSON cannot represent, become text.
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
