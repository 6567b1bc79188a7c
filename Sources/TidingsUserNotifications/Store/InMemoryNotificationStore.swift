// SPDX-License-Identifier: Apache-2.0
import TidingsLock

/// A store that lasts as long as the process.
package final class InMemoryNotificationStore: NotificationStore {
    private let record: Lock<NotificationRecord>
    private let queue = BlockingCallQueue("tidings.in-memory-notification-store")

    /// Creates a store.
    ///
    /// - Parameter answer: The stored answer of the user, or nil for none.
    package init(_ answer: AuthorizationAnswer? = nil) {
        record = Lock(NotificationRecord(authorization: answer))
    }

    /// Returns the newest record.
    package func read() async -> NotificationRecord {
        record.withLock { $0 }
    }

    /// Changes the record in one transaction.
    package func update<Result: Sendable>(
        _ body: @escaping @Sendable (inout NotificationRecord) throws -> Result
    ) async throws -> Result {
        // The body is code of the caller, so run the body on the queue and not in the lock.
        try await queue.run {
            var newest = self.record.withLock { $0 }
            let result = try body(&newest)
            let changed = newest
            self.record.withLock { $0 = changed }
            return result
        }
    }
}
