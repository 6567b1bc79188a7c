// SPDX-License-Identifier: Apache-2.0
// The import is re-exported, so that `error.code` needs no further import.
@_exported public import TidingsErrors

/// A call that Tidings refused.
///
/// ```swift
/// do {
///     try delegates.add(delegate)
/// } catch where error.code == .notAnObject {
///     print(error.message)
/// }
/// ```
public typealias TidingsError = CodedError<TidingsErrorCode>

/// The codes of ``TidingsError``.
@nonexhaustive public enum TidingsErrorCode: String, ErrorCode {
    /// The value is not an instance of a class and cannot be held weakly.
    case notAnObject
    /// A request, or a message that requires a recipient, had no recipient.
    case noObservers
    /// The item to remove does not exist.
    case notFound
    /// The content posted under a name cannot be converted to a message of a type with that name.
    case notConvertible
    /// The awaited value did not arrive in time.
    case timedOut
    /// The awaited value cannot arrive any more, because the source has ended or was reset.
    case finished
}

extension TidingsError {
    init(_ code: TidingsErrorCode, _ message: String, at location: SourceLocation) {
        self.init(code, message, location: location.description)
    }

    /// The message of `noObservers`.
    static func nobodyObserves(_ name: String) -> String {
        """
        \(name) has no observer, or only of another subject. Observe it before it is posted, or \
        post it without `requiring:`.
        """
    }
}
