// SPDX-License-Identifier: Apache-2.0

/// Whether a backend can show notifications.
package enum NotificationAvailability: Hashable, Sendable, Codable {
    /// It can.
    case available
    /// It cannot, with the reason as a sentence for a person.
    case unavailable(String)
}
