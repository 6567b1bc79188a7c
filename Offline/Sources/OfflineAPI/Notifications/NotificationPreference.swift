// SPDX-License-Identifier: Apache-2.0
package import OfflineStore
package import TidingsUserNotifications

/// The user's permission for notifications, in the registry, the API and the page.
package enum NotificationPreference: String, Codable, Sendable, CaseIterable {
    case unknown
    case granted
    case denied

    /// Creates a preference from the status of the center.
    ///
    /// `.unavailable` counts as granted.
    package init(_ status: UserNotificationAuthorizationStatus) {
        self =
            switch status {
            case .authorized, .unavailable: .granted
            case .denied: .denied
            case .notDetermined: .unknown
            }
    }

    /// Whether the program may notify, or nil until the user has decided.
    package var isGranted: Bool? {
        switch self {
        case .granted: true
        case .denied: false
        case .unknown: nil
        }
    }

    /// The key of the preference in the registry.
    package static let key = PreferenceKey<NotificationPreference>(
        "hasRequestedNotificationPermission",
        default: .unknown
    )
}
