// SPDX-License-Identifier: Apache-2.0

/// Why a notification is not shown any more.
@nonexhaustive public enum NotificationCloseReason: String, Hashable, Sendable, Codable {
    /// It was shown as long as such notifications are shown.
    case expired
    /// The person has put it away.
    case dismissed
    /// A program has taken it back.
    case closedByProgram
    /// Nobody has said.
    case unknown
}
