// SPDX-License-Identifier: Apache-2.0
import Foundation
import TidingsTesting
package import TidingsUserNotifications

/// The contract of a store of user notifications, and the attempts that check this contract.
///
/// Each attempt starts with an empty location. If the store breaks the contract, the attempt throws
/// a `TidingsTestingError` with the code `brokenPromise` that names the promise.
///
/// ```swift
/// let contract = NotificationStoreContract {
///     let path = makeEmptyFolder() + "/notifications.json"
///     return { FileNotificationStore(path: path) }
/// }
/// try await contract.check()
/// ```
package struct NotificationStoreContract: Sendable {
    /// One attempt to break the contract.
    package enum Attempt: String, Sendable, CaseIterable, CustomStringConvertible {
        /// A store at an empty location contains an empty record.
        case nothingIsThereAtTheBeginning
        /// N11: the next start of a program reads the changes of a transaction.
        case whatIsChangedIsThereForTheNextStart
        /// N11: every field of a record is read back unchanged.
        case everythingComesBackAsItWas
        /// A transaction that throws changes nothing, and the store rethrows the error.
        case whatThrowsChangesNothing
        /// N12: transactions run one at a time, even with several stores.
        case transactionsFollowOneAnother

        /// The name.
        package var description: String { rawValue }
    }

    /// All attempts.
    package static let attempts = Attempt.allCases

    /// Opens a store at the same location in each call, like each start of a program.
    package typealias Opening = @Sendable () async throws -> any NotificationStore

    private struct Refusal: Error {}

    private let makePlace: @Sendable () async throws -> Opening

    /// Creates a contract for one kind of store.
    ///
    /// - Parameter makePlace: Makes an empty location and returns a closure that opens a store
    ///   there.
    package init(makePlace: @escaping @Sendable () async throws -> Opening) {
        self.makePlace = makePlace
    }

    /// Runs all attempts in order.
    ///
    /// - Throws: `TidingsTestingError` at the first broken promise, or an error of the store.
    package func check() async throws {
        for attempt in Self.attempts { try await check(attempt) }
    }

    /// Runs one attempt.
    ///
    /// - Parameter attempt: The attempt to run.
    /// - Throws: `TidingsTestingError` when the store breaks the promise, or the store's error.
    package func check(_ attempt: Attempt) async throws {
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
            if before == answer { throw broken(attempt, "A transaction read another record.") }
        }
    }

    private func refuse(_ open: Opening, _ attempt: Attempt) async throws {
        try await open().update { $0.authorization = .granted }
        do {
            try await open().update { record in
                record.authorization = .denied
                throw Refusal()
            }
            throw broken(attempt, "The error of the transaction was lost.")
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
        if found != record { throw broken(attempt, "Found \(found) instead of \(record).") }
    }

    private func broken(_ attempt: Attempt, _ text: String) -> TidingsTestingError {
        TidingsTestingError(
            .brokenPromise,
            "\(attempt): \(text)",
            at: CallSite(fileID: #fileID, line: #line)
        )
    }
}
