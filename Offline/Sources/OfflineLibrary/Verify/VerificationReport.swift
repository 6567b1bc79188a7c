// SPDX-License-Identifier: Apache-2.0

/// The progress and the result of a verification.
package struct VerificationReport: Hashable, Sendable, Codable {
    /// The reason why an item's file could not be confirmed.
    package enum Outcome: String, Hashable, Sendable, Codable {
        /// The file has other bytes than it had.
        case damaged
        /// There is no file.
        case missing
        /// The disk did not return the bytes.
        case unreadable
        /// The item has no file yet.
        case unfinished
    }

    /// An item whose file, or a file of subtitles beside it, could not be confirmed.
    package struct Problem: Hashable, Sendable, Codable {
        /// The item.
        package let id: ItemID
        /// Its title.
        package let title: String
        /// The kind of the problem.
        package let outcome: Outcome
        /// The fault and its remedy, for the user.
        package let message: String

        init(_ item: MediaItem, _ outcome: Outcome, _ message: String) {
            id = item.id
            title = item.title
            self.outcome = outcome
            self.message = message
        }
    }

    /// The number of the verification since the library was opened; 0 if there was none.
    package internal(set) var run = 0
    /// Whether files are still to be read.
    package internal(set) var isRunning = false
    /// Whether the verification was stopped before its end.
    package internal(set) var isStopped = false
    /// The number of items whose verification is over.
    package internal(set) var checked = 0
    /// The number of items to verify.
    package internal(set) var total = 0
    /// The number of bytes that have been read.
    package internal(set) var bytes: Int64 = 0
    /// The number of bytes to read.
    package internal(set) var totalBytes: Int64 = 0
    /// The number of files that have the recorded checksum.
    package internal(set) var intact = 0
    /// The number of files without an earlier checksum, of which it is recorded now.
    package internal(set) var recorded = 0
    /// The items whose files could not be confirmed, in the order of their numbers; one more time
    /// for each file of subtitles.
    package internal(set) var problems: [Problem] = []
}
