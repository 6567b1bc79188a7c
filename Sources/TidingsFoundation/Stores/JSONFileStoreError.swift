// SPDX-License-Identifier: Apache-2.0

/// What a ``JSONFileStore`` could not do.
///
/// ```swift
/// let lessons = Resource(store: store, storeFailed: { error in
///     if (error as? JSONFileStoreError)?.code == .diskFull { warn() }
/// }) { try await catalogue.lessons() }
/// ```
public struct JSONFileStoreError: Error, Sendable, CustomStringConvertible {
    /// The kind of failure, to decide on in code.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Value: String {
            case damaged
            case newerVersion
            case tooLarge
            case notEncodable
            case notReadable
            case notWritable
            case diskFull
        }

        private let value: Value

        /// The name of the code.
        public var description: String { value.rawValue }

        /// The file is torn, or not what this store writes; it was set aside.
        public static let damaged = Code(value: .damaged)
        /// A newer version of the program has written the file; it stays as it is.
        public static let newerVersion = Code(value: .newerVersion)
        /// The file, or what was to become one, is larger than the store allows.
        public static let tooLarge = Code(value: .tooLarge)
        /// The value cannot be written as JSON.
        public static let notEncodable = Code(value: .notEncodable)
        /// The system does not let the file be read.
        public static let notReadable = Code(value: .notReadable)
        /// The system does not let the file be written or removed.
        public static let notWritable = Code(value: .notWritable)
        /// There is no room on the disk.
        public static let diskFull = Code(value: .diskFull)
    }

    /// The kind of failure.
    public let code: Code
    /// What happened and what to do about it, in one or two sentences for a person.
    public let message: String
    /// The failure beneath this one, if there is one.
    public let cause: (any Error)?

    init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.cause = cause
    }

    /// The code and the message.
    public var description: String { "\(code): \(message)" }
}
