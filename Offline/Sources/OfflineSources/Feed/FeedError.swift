// SPDX-License-Identifier: Apache-2.0
package import TidingsErrors

/// The reason why a feed cannot be read or followed.
///
/// The message never contains the query of an address, which often carries credentials.
package typealias FeedError = CodedError<FeedErrorCode>

/// The kinds of ``FeedError``.
package enum FeedErrorCode: String, ErrorCode {
    /// The address returns a document that is not a feed.
    case notAFeed
    /// The feed violates the format, or ends too early.
    case damaged
    /// The feed exceeds a limit.
    case tooLarge
    /// The server has removed the feed for good.
    case gone
    /// The address is on a private network, and the request does not allow private addresses.
    case privateAddress
    /// The server did not respond, or responded with an error.
    case unreachable
    /// The number of entries to keep is out of range.
    case invalidKeep
    /// No such feed is followed.
    case notFollowed
    /// The operation requires a running library.
    case unavailable
}
