// SPDX-License-Identifier: Apache-2.0

/// A playlist that cannot be kept offline, and why.
///
/// The message never holds an address: playlists carry credentials in theirs. It names the line.
package struct PlaylistError: Error, Sendable, CustomStringConvertible {
    /// The kind of failure, to decide on in code.
    package struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Value: String {
            case notPlaylist
            case invalid
            case empty
            case live
            case protected
            case separateAudio
            case unsupported
            case forbiddenAddress
            case noSuchRendition
            case tooLarge
        }

        private let value: Value

        package var description: String { value.rawValue }

        /// The text is no HLS playlist at all.
        package static let notPlaylist = Code(value: .notPlaylist)
        /// The playlist breaks a rule of RFC 8216.
        package static let invalid = Code(value: .invalid)
        /// The playlist lists nothing to fetch.
        package static let empty = Code(value: .empty)
        /// The stream has not ended yet.
        package static let live = Code(value: .live)
        /// The stream is protected by a DRM system or by SAMPLE-AES.
        package static let protected = Code(value: .protected)
        /// The chosen rendition has its sound in a stream of its own.
        package static let separateAudio = Code(value: .separateAudio)
        /// The playlist uses a feature that this program does not have.
        package static let unsupported = Code(value: .unsupported)
        /// An address in the playlist is not one on the web.
        package static let forbiddenAddress = Code(value: .forbiddenAddress)
        /// The stream does not offer what was asked for.
        package static let noSuchRendition = Code(value: .noSuchRendition)
        /// The playlist is longer than any real one.
        package static let tooLarge = Code(value: .tooLarge)
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

extension PlaylistError {
    /// Creates the error for a line that breaks the format's rules.
    static func invalid(
        _ what: String,
        at number: Int,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> PlaylistError {
        PlaylistError(
            .invalid,
            "The playlist is broken at line \(number): \(what). Ask its publisher, or try again later.",
            fileID: fileID,
            line: line
        )
    }

    /// Creates the error for a feature of the format that is refused by name.
    static func unsupported(
        _ feature: String,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> PlaylistError {
        PlaylistError(
            .unsupported,
            "The stream uses \(feature), which this program cannot keep yet.",
            fileID: fileID,
            line: line
        )
    }
}
