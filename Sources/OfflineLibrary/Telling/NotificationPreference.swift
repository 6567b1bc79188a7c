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

/// Keeps the answer in the library's registry, so that no later start asks again, and the rest in
/// another store.
struct RegistryNotificationStore: NotificationStore {
    let registry: Registry
    var rest: any NotificationStore = InMemoryNotificationStore()

    var attachmentFolder: String? { rest.attachmentFolder }

    func start(_ report: @escaping @Sendable (NotificationStoreSetAside) -> Void) {
        rest.start(report)
    }

    @concurrent
    func read() async throws -> NotificationRecord {
        var record = try await rest.read()
        record.authorization = try registry.preference(NotificationPreference.key).answer
        return record
    }

    @concurrent
    func update<Result: Sendable>(
        _ body: @escaping @Sendable (inout NotificationRecord) throws -> Result
    ) async throws -> Result {
        let stored = try registry.preference(NotificationPreference.key).answer
        let (result, answer) = try await rest.update { record in
            record.authorization = stored
            let result = try body(&record)
            return (result, record.authorization)
        }
        if let answer, answer != stored {
            let value: NotificationPreference = answer == .granted ? .granted : .denied
            try registry.setPreference(value, for: NotificationPreference.key)
        }
        return result
    }
}
