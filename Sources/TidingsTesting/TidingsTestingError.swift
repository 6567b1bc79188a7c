// SPDX-License-Identifier: Apache-2.0

/// What a test expected of its messages and did not get.
///
/// Thrown out of a test it is the test's failure: its description says what was expected and what
/// came.
///
/// ```swift
/// do {
///     try await log.expect("started", "finished")
/// } catch let error as TidingsTestingError where error.code == .otherOrder {
///     print(error.message)
/// }
/// ```
public struct TidingsTestingError: Error, Sendable, CustomStringConvertible {
    /// The kind of failure, to decide on in code.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Value: String {
            case brokenPromise
            case cancelled
            case otherOrder
            case timedOut
            case unexpectedMessage
        }

        private let value: Value

        /// The name of the code.
        public var description: String { value.rawValue }

        /// A contract suite has caught an implementation that does not keep what it must.
        public static let brokenPromise = Code(value: .brokenPromise)
        /// The task was cancelled before what it waited for had come.
        public static let cancelled = Code(value: .cancelled)
        /// Another message came where one was expected.
        public static let otherOrder = Code(value: .otherOrder)
        /// A time limit passed first.
        public static let timedOut = Code(value: .timedOut)
        /// A message came where none was expected.
        public static let unexpectedMessage = Code(value: .unexpectedMessage)
    }

    /// The kind of failure.
    public let code: Code
    /// What was expected and what came, for a person; it may have several lines.
    public let message: String
    /// The error beneath this one, such as `CancellationError`.
    public let cause: (any Error)?
    /// Where the expectation stands, as `#fileID:line`.
    public let location: String

    init(_ code: Code, _ message: String, cause: (any Error)? = nil, at site: TestSite) {
        self.code = code
        self.message = message
        self.cause = cause
        location = "\(site.fileID):\(site.line)"
    }

    /// The code, the message and the location.
    public var description: String { "\(code) at \(location): \(message)" }
}

/// A line of a test.
struct TestSite: Sendable {
    let fileID: StaticString
    let line: UInt
}
