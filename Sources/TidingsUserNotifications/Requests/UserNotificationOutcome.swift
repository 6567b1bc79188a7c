// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// The result of a request, as far as the program can know.
///
/// An outcome never means that the user saw the notification.
@nonexhaustive public enum UserNotificationOutcome: Hashable, Sendable {
    /// The backend accepted the notification, without the degraded features.
    case accepted(degraded: UserNotificationFeatures = [])
    /// The request waits for this date, which moves if the clock or the time zone is changed.
    ///
    /// The degraded features belong to the request, not to the content.
    case scheduled(Date, degraded: UserNotificationFeatures = [])
    /// The program was in the foreground and suppressed the notification, which is listed.
    case suppressed
    /// A later request with the same identifier, or a removal, came before the delivery.
    case replaced
    /// The backend refused the notification for this reason, but the notification is listed.
    case refused(String)
    /// Notifications cannot be shown now for this reason, but the notification is listed.
    case unavailable(String)
    /// The backend did not answer in time.
    case timedOut
}
