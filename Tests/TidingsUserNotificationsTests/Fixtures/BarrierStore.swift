// SPDX-License-Identifier: Apache-2.0
import TidingsLock
import TidingsTesting
import TidingsUserNotifications

/// A store whose first changes return only after all first changes are made.
final class BarrierStore: NotificationStore {
    private let store: any NotificationStore
    private let missing: Lock<Int>
    private let gate = Gate()

    init(store: any NotificationStore, of count: Int) {
        self.store = store
        missing = Lock(count)
    }

    func read() async throws -> NotificationRecord { try await store.read() }

    func update<Result: Sendable>(
        _ body: @escaping @Sendable (inout NotificationRecord) throws -> Result
    ) async throws -> Result {
        let result = try await store.update(body)
        let isLast = missing.withLock { missing in
            missing -= 1
            return missing == 0
        }
        if isLast { gate.open() }
        try await gate.wait()
        return result
    }
}
