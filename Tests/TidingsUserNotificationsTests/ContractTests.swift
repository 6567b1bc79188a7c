// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import Tidings
import TidingsLock
import TidingsTesting
import TidingsUserNotificationsTesting

@testable import TidingsUserNotifications

@Suite(.timeLimit(.minutes(15)))
struct ContractTests {
    @Test(
        arguments: NotificationBackendContract.attempts,
        [UserNotificationFeatures.all, [.responses, .replacement], []]
    )
    func theInMemoryBackendKeepsTheContract(
        _ attempt: NotificationBackendContract.Attempt,
        _ features: UserNotificationFeatures
    ) async throws {
        // All runs have one backend, as two runs of one program share a daemon.
        let backend = UserNotificationInMemoryBackend(features: features)
        let contract = NotificationBackendContract(limit: .seconds(120)) {
            (backend, InMemoryNotificationPerson(backend))
        }
        try await contract.check(attempt)
    }

    @Test(arguments: NotificationStoreContract.attempts)
    func theStoreInMemoryKeepsTheContract(
        _ attempt: NotificationStoreContract.Attempt
    ) async throws {
        try await NotificationStoreContract {
            let store = InMemoryNotificationStore()
            return { store }
        }.check(attempt)
    }

    @Test(arguments: NotificationStoreContract.attempts)
    func theFileStoreKeepsTheContract(_ attempt: NotificationStoreContract.Attempt) async throws {
        let folder = try TestFolder()
        try await NotificationStoreContract {
            { FileNotificationStore(path: folder.storePath, lockLimit: .seconds(60)) }
        }.check(attempt)
    }
}

/// The suites of contracts, which reject faulty implementations.
@Suite(.timeLimit(.minutes(15)))
struct BrokenContractTests {
    /// A backend with one fault.
    struct FaultyBackend: NotificationBackend {
        let backend = UserNotificationInMemoryBackend()
        let fault: NotificationBackendContract.Attempt

        func start(_ events: @escaping @Sendable (NotificationBackendEvent) -> Void) {
            backend.start { event in
                switch (event, fault) {
                case (.responded(let id, let action, _), .whatThePersonDoesComesBack):
                    let old = NotificationDelivery(identifier: id.identifier, number: id.number - 1)
                    events(.responded(old, action))
                case (.closed, .whatIsPutAwayIsTold): break
                case (_, .aLaterRunTakesOver): break
                default: events(event)
                }
            }
        }

        func show(_ notification: UserNotification) async -> NotificationBackendResult {
            var shown = notification
            switch fault {
            case .anIdentifierIsSeenOnce:
                let identifier = "\(notification.id.number)"
                shown = changed(notification, identifier, notification.content.title)
            case .whatIsGivenIsWhatIsRead:
                let title = notification.content.title.replacing("&", with: "&amp;")
                shown = changed(notification, notification.identifier, title)
            case .whatIsLeftOutIsNamed:
                _ = await backend.show(notification)
                return .accepted(degraded: .image)
            case .theBadgeIsSetAndCleared where backend.badge == 0: return .refused("Badge.")
            default: break
            }
            return await backend.show(shown)
        }

        private func changed(
            _ notification: UserNotification,
            _ identifier: String,
            _ title: String
        ) -> UserNotification {
            var content = notification.content
            content.title = title
            let id = NotificationDelivery(identifier: identifier, number: notification.id.number)
            return UserNotification(id: id, content: content, date: notification.date)
        }

        func restore(
            _ shown: [ShownNotification]
        ) async -> [NotificationDelivery: NotificationHandle] {
            await backend.restore(shown)
        }

        func close(_ identifier: String) async {
            if fault != .whatIsClosedIsGone { await backend.close(identifier) }
        }

        func setBadge(_ count: Int) async { await backend.setBadge(count) }
    }

    @Test(arguments: NotificationBackendContract.attempts)
    func theSuiteRejectsAFaultyBackend(_ attempt: NotificationBackendContract.Attempt) async throws
    {
        let backend = FaultyBackend(fault: attempt)
        let contract = NotificationBackendContract(limit: .milliseconds(50)) {
            (backend, InMemoryNotificationPerson(backend.backend))
        }
        let error = await #expect(throws: TidingsTestingError.self) {
            try await contract.check(attempt)
        }
        #expect(error?.code == .brokenPromise)
        #expect(error?.message.hasPrefix(attempt.rawValue) == true)
    }

    /// A store with one fault.
    final class FaultyStore: NotificationStore {
        let record: Lock<NotificationRecord>
        let fault: NotificationStoreContract.Attempt

        init(_ fault: NotificationStoreContract.Attempt) {
            self.fault = fault
            let isUsed = fault == .nothingIsThereAtTheBeginning
            record = Lock(NotificationRecord(authorization: isUsed ? .denied : nil))
        }

        func read() async throws -> NotificationRecord {
            var found = record.withLock { $0 }
            if fault == .everythingComesBackAsItWas { found.delivered = [] }
            return found
        }

        func update<Result: Sendable>(
            _ body: @escaping @Sendable (inout NotificationRecord) throws -> Result
        ) async throws -> Result {
            var changed = record.withLock { $0 }
            if fault == .transactionsFollowOneAnother { await Task.yield() }
            do {
                let result = try body(&changed)
                if fault != .whatIsChangedIsThereForTheNextStart { keep(changed) }
                return result
            } catch {
                if fault == .whatThrowsChangesNothing { keep(changed) }
                throw error
            }
        }

        private func keep(_ changed: NotificationRecord) { record.withLock { $0 = changed } }
    }

    @Test(arguments: NotificationStoreContract.attempts)
    func theSuiteRejectsAFaultyStore(_ attempt: NotificationStoreContract.Attempt) async throws {
        let store = FaultyStore(attempt)
        let error = await #expect(throws: TidingsTestingError.self) {
            try await NotificationStoreContract { { store } }.check(attempt)
        }
        #expect(error?.code == .brokenPromise)
    }
}
