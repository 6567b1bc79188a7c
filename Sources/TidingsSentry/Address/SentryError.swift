// SPDX-License-Identifier: Apache-2.0

/// An address of a server that reports cannot be sent to.
public struct SentryError: Error, Sendable, CustomStringConvertible {
    /// The kind of failure, to decide on in code.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Value: String {
            case invalidAddress
            case missingKey
            case missingProject
        }

        private let value: Value

        /// The name of the code.
        public var description: String { value.rawValue }

        /// It is not an address of the web.
        public static let invalidAddress = Code(value: .invalidAddress)
        /// It has no public key before the host, or one that is none.
        public static let missingKey = Code(value: .missingKey)
        /// It does not end in a project, or in one that is none.
        public static let missingProject = Code(value: .missingProject)
    }

    /// The kind of failure.
    public let code: Code
    /// What is wrong and what to do about it, for a person; never with the key.
    public let message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The code and the message.
    public var description: String { "\(code): \(message)" }
}
