// SPDX-License-Identifier: Apache-2.0
import Tidings
import TidingsLock

/// A store that lasts as long as the process.
///
/// ```swift
/// let store = InMemoryNotificationStore(.granted)
/// ```
public final class InMemoryNotificationStore: NotificationStore {
    private let record: Lock<NotificationRecord>
    private let queue = StoreQueue("tidings.in-memory-notification-store")

    /// Creates a store.
    ///
    /// - Parameter answer: The stored answer of the person; nil for none.
    public init(_ answer: AuthorizationAnswer? = nil) {
        record = Lock(NotificationRecord(authorization: answer))
    }

    /// Returns the newest record.
    public func read() async -> NotificationRecord {
        record.withLock { $0 }
    }

    /// Changes the record in one transaction.
    public func update<Result: Sendable>(
        _ body: @escaping @Sendable (inout NotificationRecord) throws -> Result
    ) async throws -> Result {
        // On a queue and not in the lock: the body is the caller's code.
        try await queue.run {
            var newest = self.record.withLock { $0 }
            let result = try body(&newest)
            let changed = newest
            self.record.withLock { $0 = changed }
            return result
        }
    }
}
