// SPDX-License-Identifier: Apache-2.0
import Tidings
import TidingsLock
import TidingsTesting

@testable import TidingsUserNotifications

/// A store that records all changes and fails on demand.
final class ScriptedStore: NotificationStore {
    struct Change: Message {
        let record: NotificationRecord
    }

    struct DiskFull: Error {}

    let changes: MessageRecorder<Change>
    private let log = MessageCenter()
    private let store: any NotificationStore
    private let isFull = Lock(false)
    private let failures = Lock(0)

    /// Creates a store in memory.
    convenience init(_ answer: AuthorizationAnswer? = .granted) {
        self.init(over: InMemoryNotificationStore(answer))
    }

    init(over store: some NotificationStore) {
        changes = MessageRecorder(on: log)
        self.store = store
    }

    var attachmentFolder: String? { store.attachmentFolder }

    /// Fails the next changes, as if another process held the store.
    func failNext(_ count: Int) { failures.withLock { $0 = count } }

    func setFull(_ value: Bool) { isFull.withLock { $0 = value } }

    func read() async throws -> NotificationRecord { try await store.read() }

    func update<Result: Sendable>(
        _ body: @escaping @Sendable (inout NotificationRecord) throws -> Result
    ) async throws -> Result {
        let isBusy = failures.withLock { count in
            defer { count = max(0, count - 1) }
            return count > 0
        }
        if isBusy { throw UserNotificationError(.storeBusy, "Another process holds it.") }
        let isFull = isFull.withLock { $0 }
        let (result, record) = try await store.update { record in
            let before = record
            let result = try body(&record)
            if isFull, record != before { throw DiskFull() }
            return (result, record)
        }
        log.post(Change(record: record))
        return result
    }

    /// Waits until the record meets a condition.
    func wait(until condition: (NotificationRecord) -> Bool) async throws {
        while try await !condition(changes.next().record) {}
    }

    /// Stores requests, as an earlier run would have.
    func schedule(_ requests: [UserNotificationRequest], at moment: NotificationMoment) async throws
    {
        try await update { record in
            for (number, request) in requests.enumerated() {
                _ = try record.schedule.add(request, number: number, at: moment)
            }
        }
    }
}
