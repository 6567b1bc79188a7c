// SPDX-License-Identifier: Apache-2.0

/// The failure of a download.
package struct DownloadError: Error, Sendable, CustomStringConvertible {
    /// The kind of a failure, for decisions in code.
    package struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Value: String {
            case unsupported
            case refused
            case live
            case several
            case feed
            case sameFile
            case invalidPlaylist
            case privateAddress
            case status
            case connection
            case offline
            case changed
            case missingSegments
            case notMedia
            case wrongKey
            case checksum
            case diskFull
            case disk
            case mux
            case toolMissing
            case database
            case cancelled
        }

        private let value: Value

        /// The name of the code, as in the registry and the API.
        package var description: String { value.rawValue }

        /// The content at the address is neither a file nor an HLS stream.
        package static let unsupported = Code(value: .unsupported)
        /// The program refuses the address or the stream, such as a live or protected stream.
        package static let refused = Code(value: .refused)
        /// The stream has not ended and was not to be recorded.
        package static let live = Code(value: .live)
        /// The page offers several media, one of which must be chosen.
        package static let several = Code(value: .several)
        /// The address belongs to a feed, whose entries are kept instead.
        package static let feed = Code(value: .feed)
        /// The address belongs to a file that another item keeps.
        package static let sameFile = Code(value: .sameFile)
        /// The playlist violates the format.
        package static let invalidPlaylist = Code(value: .invalidPlaylist)
        /// The address is on a private network, and the request does not allow that.
        package static let privateAddress = Code(value: .privateAddress)
        /// The server answered with an error status.
        package static let status = Code(value: .status)
        /// The server could not be reached or the transfer broke off.
        package static let connection = Code(value: .connection)
        /// The network is missing, and the download continues when the network is back.
        package static let offline = Code(value: .offline)
        /// The content of the server changed during the download.
        package static let changed = Code(value: .changed)
        /// Segments of the stream could not be fetched, and the message lists these segments.
        package static let missingSegments = Code(value: .missingSegments)
        /// The file or a part of the stream is not in a supported media format.
        package static let notMedia = Code(value: .notMedia)
        /// The stream could not be decrypted.
        package static let wrongKey = Code(value: .wrongKey)
        /// The file has another checksum than the request states.
        package static let checksum = Code(value: .checksum)
        /// The disk has no space left.
        package static let diskFull = Code(value: .diskFull)
        /// A file of the library could not be written or read.
        package static let disk = Code(value: .disk)
        /// The parts could not be joined into one file.
        package static let mux = Code(value: .mux)
        /// A required program is not installed.
        package static let toolMissing = Code(value: .toolMissing)
        /// The registry could not be read or written.
        package static let database = Code(value: .database)
        /// The download was stopped, and the next start continues the download.
        package static let cancelled = Code(value: .cancelled)
    }

    /// The kind of the failure.
    package let code: Code
    /// Whether the same request may succeed a little later.
    package var isTransient = false
    /// The delay that the server requires before the next request, or nil without such a delay.
    package var retryAfter: Duration?
    /// The status with which the server answered, or nil for another failure.
    package var status: Int?
    /// The number of retries before the failure.
    package var retries = 0
    /// The fault and the remedy, in one or two sentences for the user.
    package let message: String
    /// The message for logs and reports, or nil if `message` is suitable there.
    package var redactedMessage: String?
    /// The error of the lower layer, or nil without such an error.
    package let cause: (any Error)?
    /// The source location that created the error, as `fileID:line`.
    package let location: String

    /// Creates an error, which is not transient.
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

    /// The code and the message.
    package var description: String { "\(code): \(redactedMessage ?? message)" }
}

extension DownloadError {
    /// The message with hosts in place of long addresses, which may contain secrets.
    package var messageWithHosts: String {
        let address = #/https?://(?:[^/\s]*@)?([^/\s?#]+)\S*?(?=[.,;:!?)”"’']*(?:\s|$))/#
        return message.replacing(address) { $0.1 }
    }

    /// The message for other machines, with hosts in place of addresses and without paths.
    ///
    /// A path may contain the user's name.
    package var messageForOthers: String {
        let text = messageWithHosts
        let path = #/(?:^|\W)/\S/#
        return text.contains(path) ? "Its page says why." : text
    }
}
