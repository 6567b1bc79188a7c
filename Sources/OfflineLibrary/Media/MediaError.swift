// SPDX-License-Identifier: Apache-2.0
package import Tidings

/// Media that could not be read, decrypted, joined or checked.
package typealias MediaError = CodedError<MediaErrorCode>

/// The kinds of ``MediaError``.
package enum MediaErrorCode: String, ErrorCode {
    /// A program this needs is not installed; the message names its package.
    case toolMissing
    /// A file given to the tool could not be read.
    case cannotRead
    /// The content is not media that can be played.
    case notMedia
    /// The decrypted bytes are not what the playlist promised.
    case wrongKey
    /// The result would exceed the limit on file size.
    case tooLarge
    /// The disk is full; the attempt can be repeated when there is space.
    case noSpace
    /// The tool did not end within its time.
    case timedOut
    /// The tool refused its input; the message holds its last words.
    case failed
    /// The task was cancelled.
    case cancelled
}
