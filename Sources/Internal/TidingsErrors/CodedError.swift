// SPDX-License-Identifier: Apache-2.0

/// The error codes of one module, for decisions in code.
///
/// Each module declares the codes as an enum whose raw values are the names. The public enums are
/// nonexhaustive, so a switch over the codes needs a `default`, and later versions can add codes.
public protocol ErrorCode: RawRepresentable<String>, Hashable, Sendable, CustomStringConvertible {
    /// Whether the description of an error contains the line that created the error. The default is
    /// false.
    static var describesLocation: Bool { get }
}

extension ErrorCode {
    /// False, so that the description contains only the code and the message.
    public static var describesLocation: Bool { false }
    /// The raw value, which is the name of the code.
    public var description: String { rawValue }
}

/// An error of one module of this package, with a code for programs and a message for the user.
///
/// Each module declares an alias, such as `UserNotificationError`. Calls that throw only these
/// errors declare the type, so that a `catch` needs no cast:
///
/// ```swift
/// do {
///     try await notifications.requestAuthorization()
/// } catch where error.code == .denied {
///     print(error.message)
/// }
/// ```
public struct CodedError<Kind: ErrorCode>: Error, Sendable, CustomStringConvertible {
    /// The codes of this module.
    public typealias Code = Kind

    /// The code, for decisions in code.
    public let code: Code
    /// The fault and the remedy, in one or two sentences for the user.
    public let message: String
    /// The underlying error, if there is one.
    public let cause: (any Error)?
    /// The line that created the error, as `#fileID:line`.
    public let location: String

    /// Creates an error with the caller's line as the location.
    package init(
        _ code: Code,
        _ message: String,
        cause: (any Error)? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        self.init(code, message, cause: cause, location: "\(fileID):\(line)")
    }

    /// Creates an error with another location.
    package init(_ code: Code, _ message: String, cause: (any Error)? = nil, location: String) {
        self.code = code
        self.message = message
        self.cause = cause
        self.location = location
    }

    /// The code, the line if ``ErrorCode/describesLocation`` is true, and the message.
    public var description: String {
        Code.describesLocation ? "\(code) at \(location): \(message)" : "\(code): \(message)"
    }
}
