// SPDX-License-Identifier: Apache-2.0
import OfflineLibrary
import TidingsUserNotifications

/// Whether the person wants to be notified, as registry, API and page write it.
enum NotificationPreference: String, Codable, Sendable {
    case unknown
    case granted
    case denied

    init(_ status: AuthorizationStatus) {
        self =
            switch status {
            case .authorized: .granted
            case .denied: .denied
            default: .unknown
            }
    }

    /// The answer, nil while there is none.
    var answer: AuthorizationAnswer? {
        switch self {
        case .granted: .granted
        case .denied: .denied
        case .unknown: nil
        }
    }

    static let key = PreferenceKey<NotificationPreference>(
        "hasRequestedNotificationPermission",
        default: .unknown
    )
}

/// Keeps the answer in the library's registry, so that no later start asks again.
struct RegistryNotificationStore: NotificationStore {
    let library: Library

    @concurrent
    func authorization() async throws -> AuthorizationAnswer? {
        try library.journal.registry.preference(NotificationPreference.key).answer
    }

    @concurrent
    func setAuthorization(_ answer: AuthorizationAnswer) async throws {
        let value: NotificationPreference = answer == .granted ? .granted : .denied
        try library.journal.registry.setPreference(value, for: NotificationPreference.key)
    }
}
