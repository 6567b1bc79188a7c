// SPDX-License-Identifier: Apache-2.0

/// Media that could not be read, decrypted, joined or checked.
package struct MediaError: Error, Sendable, CustomStringConvertible {
    /// The kind of failure, to decide on in code.
    package struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Value: String {
            case toolMissing
            case cannotRead
            case notMedia
            case wrongKey
            case tooLarge
            case noSpace
            case timedOut
            case failed
            case cancelled
        }

        private let value: Value

        package var description: String { value.rawValue }

        /// A program this needs is not installed; the message names its package.
        package static let toolMissing = Code(value: .toolMissing)
        /// A file given to the tool could not be read.
        package static let cannotRead = Code(value: .cannotRead)
        /// The content is not media that can be played.
        package static let notMedia = Code(value: .notMedia)
        /// The decrypted bytes are not what the playlist promised.
        package static let wrongKey = Code(value: .wrongKey)
        /// The result would exceed the limit on file size.
        package static let tooLarge = Code(value: .tooLarge)
        /// The disk is full; the attempt can be repeated when there is space.
        package static let noSpace = Code(value: .noSpace)
        /// The tool did not end within its time.
        package static let timedOut = Code(value: .timedOut)
        /// The tool refused its input; the message holds its last words.
        package static let failed = Code(value: .failed)
        /// The task was cancelled.
        package static let cancelled = Code(value: .cancelled)
    }

    package let code: Code
    /// What happened and what to do about it, in one or two sentences for a person.
    package let message: String
    /// The failure beneath this one, if there is one.
    package let cause: (any Error)?
    /// Where the error was made, as `#fileID:line`.
    package let location: String

    package init(
        _ code: Code,
        _ message: String,
        cause: (any Error)? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        self.code = code
        self.message = message
        self.cause = cause
        location = "\(fileID):\(line)"
    }

    package var description: String { "\(code): \(message)" }
}
