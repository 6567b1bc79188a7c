// SPDX-License-Identifier: Apache-2.0
package import OfflineModel

/// The progress and the result of a verification.
package struct VerificationReport: Hashable, Sendable, Codable {
    /// The reason why an item's file could not be confirmed.
    package enum Outcome: String, Hashable, Sendable, Codable, CaseIterable {
        /// The bytes of the file have changed.
        case damaged
        /// The file does not exist.
        case missing
        /// The disk did not return the bytes.
        case unreadable
        /// The item has no file yet.
        case unfinished
    }

    /// An item whose file or subtitles could not be confirmed.
    package struct Problem: Hashable, Sendable, Codable {
        /// The item.
        package let id: ItemID
        /// The title of the item.
        package let title: String
        /// The kind of the problem.
        package let outcome: Outcome
        /// The fault and the remedy, for the user.
        package let message: String

        init(_ item: MediaItem, _ outcome: Outcome, _ message: String) {
            id = item.id
            title = item.title
            self.outcome = outcome
            self.message = message
        }
    }

    /// The number of the verification since the library was opened, or 0 before the first one.
    package internal(set) var run = 0
    /// Whether files are still to be read.
    package internal(set) var isRunning = false
    /// Whether the verification was stopped early.
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
    /// The number of files without an earlier checksum, for which a checksum is now recorded.
    package internal(set) var recorded = 0
    /// The items whose files could not be confirmed, in the order of the item numbers.
    ///
    /// An item appears once more for each subtitle file that could not be confirmed.
    package internal(set) var problems: [Problem] = []
}
