// SPDX-License-Identifier: Apache-2.0

/// Whether a backend can show notifications.
package enum NotificationAvailability: Hashable, Sendable, Codable {
    /// The backend can show notifications.
    case available
    /// The backend cannot show notifications, with the reason as a sentence for the user.
    case unavailable(String)
}
