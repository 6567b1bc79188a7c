// SPDX-License-Identifier: Apache-2.0
package import TidingsUserNotifications

/// Whether the person wants to be notified, as registry, API and page write it.
package enum NotificationPreference: String, Codable, Sendable {
    case unknown
    case granted
    case denied

    package init(_ status: AuthorizationStatus) {
        self =
            switch status {
            case .authorized, .unavailable: .granted
            case .denied: .denied
            default: .unknown
            }
    }

    /// The answer, nil while there is none.
    package var answer: AuthorizationAnswer? {
        switch self {
        case .granted: .granted
        case .denied: .denied
        case .unknown: nil
        }
    }

    /// Where the registry has the answer to the one question.
    package static let key = PreferenceKey<NotificationPreference>(
        "hasRequestedNotificationPermission",
        default: .unknown
    )
}

/// Keeps the answer in the library's registry, so that no later start asks again.
struct RegistryNotificationStore: NotificationStore {
    let registry: Registry

    @concurrent
    func authorization() async throws -> AuthorizationAnswer? {
        try registry.preference(NotificationPreference.key).answer
    }

    @concurrent
    func setAuthorization(_ answer: AuthorizationAnswer) async throws {
        let value: NotificationPreference = answer == .granted ? .granted : .denied
        try registry.setPreference(value, for: NotificationPreference.key)
    }
}
