// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// The result of a request, as far as the program can know; it never means that a person saw it.
@nonexhaustive public enum UserNotificationOutcome: Hashable, Sendable {
    /// The backend accepted the notification, without the degraded features.
    case accepted(degraded: UserNotificationFeatures = [])
    /// The request waits for this date, which moves if the clock or the time zone is changed.
    ///
    /// The degraded features are those of the request, not those of its content.
    case scheduled(Date, degraded: UserNotificationFeatures = [])
    /// The program was in the foreground and did not want it shown; it is listed.
    case suppressed
    /// A later request with its identifier, or a removal, came before the delivery.
    case replaced
    /// The backend refused it, with the reason; it is listed.
    case refused(String)
    /// Notifications cannot be shown now, with the reason; it is listed.
    case unavailable(String)
    /// The backend did not answer in time.
    case timedOut
}
