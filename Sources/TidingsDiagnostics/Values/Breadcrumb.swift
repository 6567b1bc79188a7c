// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// Something that happened before a report was made.
public struct Breadcrumb: Hashable, Sendable, Codable {
    /// Where a breadcrumb came from.
    @nonexhaustive public enum Origin: String, Hashable, Sendable, Codable {
        /// `log` was called.
        case log
        /// A message was posted on a center that is followed.
        case message
    }

    /// When it happened.
    public let date: Date
    /// Where it came from.
    public let origin: Origin
    /// What was logged, or the type of the message and what of it may be seen.
    public let text: String
    /// Where the message was posted, as `#fileID:line`.
    public let location: String?
}
