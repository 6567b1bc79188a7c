// SPDX-License-Identifier: Apache-2.0

/// The treatment of a request that becomes due while the program is not running.
///
/// The center stores a claim on a due request before sending the request. If the program is killed
/// at that moment, the next run cannot determine whether the notification was shown.
@nonexhaustive public enum UserNotificationOverduePolicy: String, Hashable, Sendable, Codable {
    /// Delivers the request once, marked as overdue.
    ///
    /// If a killed program had started to send the request, the notification is listed and marked
    /// as overdue, but not shown.
    case deliver
    /// Delivers the request like ``deliver``, but sends an interrupted request again.
    ///
    /// The notification is shown again if a killed program had started to send the request.
    case deliverAgain
    /// Drops the overdue request, and a repeating request waits for the next date.
    case drop
}
