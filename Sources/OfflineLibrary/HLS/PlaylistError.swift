// SPDX-License-Identifier: Apache-2.0
package import Tidings

/// A playlist that cannot be kept offline, and why.
///
/// The message never holds an address: playlists carry credentials in theirs. It names the line.
package typealias PlaylistError = CodedError<PlaylistErrorCode>

/// The kinds of ``PlaylistError``.
package enum PlaylistErrorCode: String, ErrorCode {
    /// The text is no HLS playlist at all.
    case notPlaylist
    /// The playlist breaks a rule of RFC 8216.
    case invalid
    /// The playlist lists nothing to fetch.
    case empty
    /// The stream has not ended yet.
    case live
    /// The stream is protected by a DRM system or by SAMPLE-AES.
    case protected
    /// The chosen rendition has its sound in a stream of its own.
    case separateAudio
    /// The playlist uses a feature that this program does not have.
    case unsupported
    /// An address in the playlist is not one on the web.
    case forbiddenAddress
    /// The stream does not offer what was asked for.
    case noSuchRendition
    /// The playlist is longer than any real one.
    case tooLarge
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
