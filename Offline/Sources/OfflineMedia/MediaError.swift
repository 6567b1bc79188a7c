// SPDX-License-Identifier: Apache-2.0
package import TidingsErrors

/// A failure to read, decrypt, join or probe media.
package typealias MediaError = CodedError<MediaErrorCode>

/// The kinds of ``MediaError``.
package enum MediaErrorCode: String, ErrorCode {
    /// A required program is not installed or cannot be started now, as the message states.
    case toolMissing
    /// An input file could not be read, or is damaged.
    case cannotRead
    /// The content is not playable media.
    case notMedia
    /// The joined file lacks a part of the content.
    case incomplete
    /// The format of the stream changes in a way that one file cannot hold.
    case formatChanges
    /// The key does not decrypt the segment, or has the wrong length.
    case wrongKey
    /// The output would exceed the limit on the file size.
    case tooLarge
    /// The disk is full. A retry can succeed once there is space.
    case noSpace
    /// The tool did not finish within the wall clock limit, as on a busy machine.
    case timedOut
    /// The tool failed. The cause holds the last lines of the tool's standard error, without paths.
    case failed
    /// The task was cancelled.
    case cancelled

    /// Whether the failure says nothing about the media, so that a later attempt may succeed.
    package var isIndependentOfMedia: Bool { [.toolMissing, .timedOut, .cancelled].contains(self) }
}
