// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// What became of a request, as far as the program can know; it never says that it was seen.
@nonexhaustive public enum NotificationOutcome: Hashable, Sendable {
    /// Whoever shows notifications has taken it, and left this out because it cannot be shown.
    case accepted(degraded: NotificationFeatures = [])
    /// It waits for its time, which is this as far as clock and zone stay as they are.
    case scheduled(Date)
    /// The program was in front and did not want it shown; it is listed.
    case suppressed
    /// A later request with its identifier, or its removal, came before it was delivered.
    case replaced
    /// Whoever shows notifications did not want it; it is listed.
    case refused(String)
    /// Nobody shows notifications now, and this is why; it is listed.
    case unavailable(String)
    /// There was no answer in time.
    case timedOut
}
