// SPDX-License-Identifier: Apache-2.0

/// Why an item could not be downloaded.
package struct DownloadError: Error, Sendable, CustomStringConvertible {
    /// The kind of failure, to decide on in code.
    package struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Value: String {
            case unsupported
            case refused
            case invalidPlaylist
            case privateAddress
            case status
            case connection
            case offline
            case changed
            case missingSegments
            case notMedia
            case wrongKey
            case diskFull
            case disk
            case mux
            case verify
            case toolMissing
            case database
            case cancelled
        }

        private let value: Value

        package var description: String { value.rawValue }

        /// The address leads to something that is neither a file nor an HLS stream.
        package static let unsupported = Code(value: .unsupported)
        /// The stream is of a kind that is refused by name: live, protected, or not supported.
        package static let refused = Code(value: .refused)
        /// The playlist breaks the rules of its format.
        package static let invalidPlaylist = Code(value: .invalidPlaylist)
        /// The address is on a private network and was not allowed.
        package static let privateAddress = Code(value: .privateAddress)
        /// The server answered with an error status.
        package static let status = Code(value: .status)
        /// The server could not be reached or the transfer broke off.
        package static let connection = Code(value: .connection)
        /// There is no network; it goes on when there is one.
        package static let offline = Code(value: .offline)
        /// The server's content changed while it was being fetched.
        package static let changed = Code(value: .changed)
        /// Segments of the stream could not be fetched; the message names them.
        package static let missingSegments = Code(value: .missingSegments)
        /// A part of the stream, or the file, is not what it claims to be.
        package static let notMedia = Code(value: .notMedia)
        /// The stream could not be decrypted.
        package static let wrongKey = Code(value: .wrongKey)
        /// There is no space left on the disk.
        package static let diskFull = Code(value: .diskFull)
        /// A file of the library could not be written or read.
        package static let disk = Code(value: .disk)
        /// The parts could not be joined into one file.
        package static let mux = Code(value: .mux)
        /// The finished file did not pass its check.
        package static let verify = Code(value: .verify)
        /// A program that is needed is not installed.
        package static let toolMissing = Code(value: .toolMissing)
        /// The registry refused a change.
        package static let database = Code(value: .database)
        /// The download was stopped; it goes on at the next start.
        package static let cancelled = Code(value: .cancelled)
    }

    package let code: Code
    /// Whether the same request may well succeed a little later.
    package var isTransient = false
    /// The pause that the server asked for.
    package var retryAfter: Duration?
    /// How often it was tried again before it was given up.
    package var retries = 0
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
