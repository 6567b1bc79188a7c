// SPDX-License-Identifier: Apache-2.0
package import TidingsErrors

/// The reason why a playlist cannot be downloaded.
///
/// The message names the line but never contains an address, because addresses in playlists often
/// carry credentials.
package typealias PlaylistError = CodedError<PlaylistErrorCode>

/// The kinds of ``PlaylistError``.
package enum PlaylistErrorCode: String, ErrorCode {
    /// The text is not an HLS playlist.
    case notPlaylist
    /// The playlist violates RFC 8216.
    case invalid
    /// The playlist lists no segments and no renditions.
    case empty
    /// The stream has not ended yet.
    case live
    /// The stream is protected by a DRM system or by SAMPLE-AES.
    case protected
    /// The playlist uses a feature that this program does not support.
    case unsupported
    /// An address in the playlist is not an http or https address.
    case forbiddenAddress
    /// The stream does not offer the requested rendition, or the text names no rendition.
    case noSuchQuality
    /// The playlist refers to a variable that is not defined.
    case undefinedVariable
    /// The playlist exceeds a limit.
    case tooLarge
}

extension PlaylistError {
    /// Creates the error for a line that violates the format.
    package static func invalid(
        _ problem: String,
        at number: Int,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> PlaylistError {
        PlaylistError(
            .invalid,
            "The playlist is invalid at line \(number): \(problem). "
                + "Contact its publisher, or try again later.",
            fileID: fileID,
            line: line
        )
    }

    /// Creates the error for a feature of the format that this program does not support.
    package static func unsupported(
        _ feature: String,
        _ remedy: String = "Use another address of the content.",
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> PlaylistError {
        PlaylistError(
            .unsupported,
            "The stream uses \(feature), which this program does not support yet. \(remedy)",
            fileID: fileID,
            line: line
        )
    }
}
