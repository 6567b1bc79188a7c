// SPDX-License-Identifier: Apache-2.0
import Foundation
public import TidingsUserNotifications

/// What every store of user notifications must keep, and the attempts to catch it at less.
///
/// Each attempt begins with an empty place and throws a ``TidingsTestingError`` with the code
/// `brokenPromise` that names the promise.
///
/// ```swift
/// let contract = NotificationStoreContract {
///     let path = makeEmptyFolder() + "/notifications.json"
///     return { FileNotificationStore(path: path) }
/// }
/// try await contract.check()
/// ```
public struct NotificationStoreContract: Sendable {
    /// One attempt.
    public enum Attempt: String, Sendable, CaseIterable, CustomStringConvertible {
        /// An empty place has an empty record.
        case nothingIsThereAtTheBeginning
        /// Promise 11: what a transaction has changed is there for the next start.
        case whatIsChangedIsThereForTheNextStart
        /// Promise 11: everything that a record can hold comes back as it was.
        case everythingComesBackAsItWas
        /// A transaction that throws changes nothing, and its error is passed on.
        case whatThrowsChangesNothing
        /// Promise 12: transactions follow one another, whoever makes them.
        case transactionsFollowOneAnother

        /// The name.
        public var description: String { rawValue }
    }

    /// All attempts.
    public static let attempts = Attempt.allCases

    /// Opens a store; each call has the same place, as each start of a program has.
    public typealias Opening = @Sendable () async throws -> any NotificationStore

    private struct Refusal: Error {}

    private let makePlace: @Sendable () async throws -> Opening

    /// Creates a contract for one kind of store.
    ///
    /// - Parameter makePlace: Makes an empty place, and returns what opens a store there.
    public init(makePlace: @escaping @Sendable () async throws -> Opening) {
        self.makePlace = makePlace
    }

    /// Makes all attempts, one after the other.
    ///
    /// - Throws: ``TidingsTestingError`` at the first broken promise, or what a store throws.
    public func check() async throws {
        for attempt in Self.attempts { try await check(attempt) }
    }

    /// Makes one attempt.
    ///
    /// - Parameter attempt: Which.
    /// - Throws: ``TidingsTestingError`` when the promise is broken, or what a store throws.
    public func check(_ attempt: Attempt) async throws {
        let open = try await makePlace()
        switch attempt {
        case .nothingIsThereAtTheBeginning:
            try await expect(NotificationRecord(), in: open, attempt)
        case .whatIsChangedIsThereForTheNextStart: try await change(open, attempt)
        case .everythingComesBackAsItWas:
            let record = try NotificationRecord.full()
            try await open().update { $0 = record }
            try await expect(record, in: open, attempt)
        case .whatThrowsChangesNothing: try await refuse(open, attempt)
        case .transactionsFollowOneAnother: try await count(open, attempt)
        }
    }

    private func change(_ open: Opening, _ attempt: Attempt) async throws {
        for answer in [AuthorizationAnswer.granted, .denied, nil] {
            let before = try await open().update { record in
                defer { record.authorization = answer }
                return record.authorization
            }
            var expected = NotificationRecord()
            expected.authorization = answer
            try await expect(expected, in: open, attempt)
            if before == answer { throw broken(attempt, "A transaction had another record.") }
        }
    }

    private func refuse(_ open: Opening, _ attempt: Attempt) async throws {
        try await open().update { $0.authorization = .granted }
        do {
            try await open().update { record in
                record.authorization = .denied
                throw Refusal()
            }
            throw broken(attempt, "What the body throws was lost.")
        } catch is Refusal {
            try await expect(NotificationRecord(authorization: .granted), in: open, attempt)
        }
    }

    private func count(_ open: @escaping Opening, _ attempt: Attempt) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    let store = try await open()
                    for _ in 0..<25 { try await store.update { $0.badge += 1 } }
                }
            }
            try await group.waitForAll()
        }
        let badge = try await open().read().badge
        if badge != 100 { throw broken(attempt, "\(100 - badge) of 100 changes were lost.") }
    }

    private func expect(
        _ record: NotificationRecord,
        in open: Opening,
        _ attempt: Attempt
    ) async throws {
        let found = try await open().read()
        if found != record { throw broken(attempt, "\(found) was there in place of \(record).") }
    }

    private func broken(_ attempt: Attempt, _ text: String) -> TidingsTestingError {
        TidingsTestingError(
            .brokenPromise,
            "\(attempt): \(text)",
            at: TestSite(fileID: #fileID, line: #line)
        )
    }
}
