// SPDX-License-Identifier: Apache-2.0
// Re-exported, so that `error.code` needs no further import.
@_exported public import TidingsErrors

/// A failed expectation of a test.
///
/// A test that throws the error fails with the error's description, which has the expectation, the
/// recorded messages, and the line of the expectation.
///
/// ```swift
/// do {
///     try await log.expect("started", "finished")
/// } catch let error as TidingsTestingError where error.code == .otherOrder {
///     print(error.message)
/// }
/// ```
public typealias TidingsTestingError = CodedError<TidingsTestingErrorCode>

/// The codes of ``TidingsTestingError``.
@nonexhaustive public enum TidingsTestingErrorCode: String, ErrorCode {
    /// A contract suite has found an implementation that violates the contract.
    case brokenPromise
    /// The task was cancelled before the wait was over.
    case cancelled
    /// A message arrived that differs from the expected message.
    case otherOrder
    /// The time limit passed before the body returned.
    case timedOut
    /// A message arrived although none was expected.
    case unexpectedMessage

    /// A failed test shows the line of the expectation.
    public static var describesLocation: Bool { true }
}

extension TidingsTestingError {
    /// Creates an error that names a line of the test.
    package init(
        _ code: TidingsTestingErrorCode,
        _ message: String,
        cause: (any Error)? = nil,
        at site: CallSite
    ) {
        self.init(code, message, cause: cause, location: "\(site.fileID):\(site.line)")
    }
}

/// The line of a test that calls this module.
package struct CallSite: Sendable {
    /// The module and file.
    package let fileID: StaticString
    /// The line, from 1.
    package let line: UInt

    /// Creates a call site from a file and a line.
    package init(fileID: StaticString, line: UInt) {
        self.fileID = fileID
        self.line = line
    }
}
