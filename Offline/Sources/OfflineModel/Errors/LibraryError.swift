// SPDX-License-Identifier: Apache-2.0
// Re-exported, so that `error.code` needs no further import.
@_exported public import TidingsErrors

/// The failure of a library's operation.
package typealias LibraryError = CodedError<LibraryErrorCode>

/// The kinds of ``LibraryError``.
package enum LibraryErrorCode: String, ErrorCode {
    /// The item or the collection does not exist.
    case notFound
    /// Another process has opened the library.
    case inUse
    /// The address cannot be fetched by this program.
    case invalidAddress
    /// The quality is neither `best`, nor a height such as `720p`, nor `audio`.
    case unknownQuality
    /// The title is empty or too long.
    case invalidTitle
    /// The name of a collection is empty, too long or has control characters.
    case invalidName
    /// Another collection has the name.
    case collectionExists
    /// The time of a playback is out of range, or there is nothing to change.
    case invalidPlayback
    /// A header, a cookie, a proxy, a checksum or a language is invalid or not allowed.
    case invalidOption
    /// The setting does not exist, or cannot have this value.
    case invalidSetting
    /// The finished file has another checksum than the request states.
    case otherChecksum
    /// The library's folder or a file in the folder cannot be read or written.
    case cannotOpen
    /// A newer version of the program wrote this library.
    case newerVersion
    /// The registry is damaged.
    case damaged
    /// The registry of an earlier version could not be migrated.
    case migrationFailed
    /// The registry could not be read or written.
    case database
    /// The disk is full.
    case diskFull
    /// The operation is not possible in the current state, such as the retry of a ready item.
    case notRetryable
    /// Another item has the address.
    case addressInUse
    /// The item is not being downloaded and so cannot be paused.
    case notPausable
    /// The item is not queued and so has no place in the queue.
    case notQueued
    /// The item is in the library and so has no download to cancel.
    case notCancellable
    /// The item is not a recording of a live stream that could be stopped.
    case notRecording
    /// A text is not an export of a library, or is damaged.
    case invalidImport
    /// A verification of the library is running.
    case verifying
    /// The subtitles beside a film are too large, or in an unsupported format.
    case unreadableSubtitles
    /// A film cannot be copied with another sound of the film.
    case unreadableSound
    /// A required program, which the message names, is not installed.
    case toolMissing
    /// A file that a user has uploaded is empty, damaged or not media, despite the name of the
    /// file.
    case notMedia
    /// Other subtitles of that name are beside the film.
    case subtitlesExist
    /// A file that a user has uploaded has not arrived as a whole.
    case incomplete
    /// The operation requires the running server.
    case unavailable
}
