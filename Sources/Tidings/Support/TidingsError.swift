// SPDX-License-Identifier: Apache-2.0

/// A call that Tidings refused.
///
/// ```swift
/// do {
///     try delegates.add(delegate)
/// } catch where error.code == .notAnObject {
///     print(error.message)
/// }
/// ```
public struct TidingsError: Error, Sendable, CustomStringConvertible {
    /// The kind of refusal, to decide on in code.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Value: String {
            case notAnObject
            case noObservers
            case notFound
            case notConvertible
            case timedOut
            case finished
            case noResponder
            case responderEnded
            case wasReset
        }

        private let value: Value

        /// The name of the code.
        public var description: String { value.rawValue }

        /// Only an instance of a class can be held weakly, and this value is none.
        public static let notAnObject = Code(value: .notAnObject)
        /// A message that somebody must receive had no recipient.
        public static let noObservers = Code(value: .noObservers)
        /// There is nothing of what was to be removed.
        public static let notFound = Code(value: .notFound)
        /// What was posted under a name cannot be made into a message of a type with that name.
        public static let notConvertible = Code(value: .notConvertible)
        /// What was waited for did not come in time.
        public static let timedOut = Code(value: .timedOut)
        /// What was waited for cannot come any more.
        public static let finished = Code(value: .finished)
        /// Nobody answers a request.
        public static let noResponder = Code(value: .noResponder)
        /// Whoever was about to answer a request stopped.
        public static let responderEnded = Code(value: .responderEnded)
        /// What was waited for was dropped by a reset.
        public static let wasReset = Code(value: .wasReset)
    }

    /// The kind of refusal.
    public let code: Code
    /// What happened and what to do about it, in one or two sentences for a person.
    public let message: String
    /// The failure beneath this one, if there is one.
    public let cause: (any Error)?
    /// Where the refused call was made, as `#fileID:line`.
    public let location: String

    init(_ code: Code, _ message: String, at location: SourceLocation) {
        self.code = code
        self.message = message
        cause = nil
        self.location = location.description
    }

    /// The text of `noObservers`.
    static func nobodyObserves(_ name: String) -> String {
        """
        Nobody observes \(name), or only about another subject. Observe it before it is posted, or \
        post it without `.required`.
        """
    }

    /// The code and the message.
    public var description: String { "\(code): \(message)" }
}
