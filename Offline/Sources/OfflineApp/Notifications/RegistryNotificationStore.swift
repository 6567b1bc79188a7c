// SPDX-License-Identifier: Apache-2.0
import OfflineLibrary
import OfflineServer
import TidingsUserNotifications

/// A store that keeps the user's permission in the library's registry and all else in another
/// store.
struct RegistryNotificationStore: NotificationStore {
    let registry: Registry
    var base: any NotificationStore = InMemoryNotificationStore()

    var attachmentFolder: String? { base.attachmentFolder }

    func start(
        setAside: @escaping @Sendable (NotificationStoreSetAside) -> Void,
        changed: @escaping @Sendable () -> Void
    ) {
        base.start(setAside: setAside, changed: changed)
    }

    @concurrent
    func read() async throws -> NotificationRecord {
        var record = try await base.read()
        record.authorization = try registry.preference(NotificationPreference.key).answer
        return record
    }

    @concurrent
    func update<Result: Sendable>(
        _ body: @escaping @Sendable (inout NotificationRecord) throws -> Result
    ) async throws -> Result {
        let stored = try registry.preference(NotificationPreference.key).answer
        return try await base.update { [registry] record in
            record.authorization = stored
            let result = try body(&record)
            // Before the other store has the change, because that wakes other processes.
            if let answer = record.authorization, answer != stored {
                let value: NotificationPreference = answer == .granted ? .granted : .denied
                try registry.setPreference(value, for: NotificationPreference.key)
            }
            return result
        }
    }
}
