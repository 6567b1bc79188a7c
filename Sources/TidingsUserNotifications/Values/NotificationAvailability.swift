// SPDX-License-Identifier: Apache-2.0

/// Whether there is somebody who shows notifications.
public enum NotificationAvailability: Hashable, Sendable, Codable {
    /// There is.
    case available
    /// There is nobody, and this is why, as a sentence for a person.
    case unavailable(String)
}
