// SPDX-License-Identifier: Apache-2.0
// Re-exported, so that `error.code` needs no further import.
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
    /// Only an instance of a class can be held weakly, and this value is none.
    case notAnObject
    /// A message that somebody must receive had no recipient.
    case noObservers
    /// There is nothing of what was to be removed.
    case notFound
    /// What was posted under a name cannot be made into a message of a type with that name.
    case notConvertible
    /// What was waited for did not come in time.
    case timedOut
    /// What was waited for cannot come any more.
    case finished
    /// Nobody answers a request.
    case noResponder
    /// Whoever was about to answer a request stopped.
    case responderEnded
    /// What was waited for was dropped by a reset.
    case wasReset
}

extension TidingsError {
    init(_ code: TidingsErrorCode, _ message: String, at location: SourceLocation) {
        self.init(code, message, location: location.description)
    }

    /// The text of `noObservers`.
    static func nobodyObserves(_ name: String) -> String {
        """
        \(name) has no observer, or only of another subject. Observe it before it is posted, or \
        post it without `requiring:`.
        """
    }
}
