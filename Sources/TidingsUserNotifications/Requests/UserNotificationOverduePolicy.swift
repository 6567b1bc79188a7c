// SPDX-License-Identifier: Apache-2.0

/// The treatment of a request that becomes due while the program is not running.
///
/// The center stores its claim on a due request before it sends the request. After a kill at that
/// moment the next run cannot know whether the notification was shown.
@nonexhaustive public enum UserNotificationOverduePolicy: String, Hashable, Sendable, Codable {
    /// Delivers it once, marked as overdue.
    ///
    /// If a killed program had begun to send it, it is listed and marked as overdue, but not shown.
    case deliver
    /// Delivers it like ``deliver``, and shows it again if a killed program had begun to send it.
    case deliverAgain
    /// Drops it; a repeating request waits for its next date.
    case drop
}
