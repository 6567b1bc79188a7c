// SPDX-License-Identifier: Apache-2.0
package import OfflineLibrary
package import TidingsUserNotifications

/// The user's permission for notifications, in the registry, the API and the page.
package enum NotificationPreference: String, Codable, Sendable {
    case unknown
    case granted
    case denied

    /// Creates a preference from the status of the center; `.unavailable` counts as granted.
    package init(_ status: AuthorizationStatus) {
        self =
            switch status {
            case .authorized, .unavailable: .granted
            case .denied: .denied
            default: .unknown
            }
    }

    /// The answer for the center; nil until the user has decided.
    package var answer: AuthorizationAnswer? {
        switch self {
        case .granted: .granted
        case .denied: .denied
        case .unknown: nil
        }
    }

    /// The key of the preference in the registry.
    package static let key = PreferenceKey<NotificationPreference>(
        "hasRequestedNotificationPermission",
        default: .unknown
    )
}
