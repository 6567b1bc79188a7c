// SPDX-License-Identifier: Apache-2.0
import Synchronization
import Testing
import Tidings
import TidingsTesting
import TidingsUserNotificationsTesting

@testable import TidingsUserNotifications

@Suite(.timeLimit(.minutes(15)))
struct AuthorizationTests {
    struct DiskFull: Error {}

    /// A user who answers when the test opens the gate.
    final class Person: Sendable {
        let gate = Gate()
        let isAsked = Gate()
        let timesAsked = Atomic(0)
        let answer: AuthorizationAnswer?

        init(_ answer: AuthorizationAnswer?) {
            self.answer = answer
        }

        @Sendable func ask(
            _ options: UserNotificationAuthorizationOptions
        ) async -> AuthorizationAnswer? {
            timesAsked.add(1, ordering: .relaxed)
            isAsked.open()
            try? await gate.wait()
            return answer
        }
    }

    struct FailingStore: NotificationStore {
        let canRead: Bool

        func read() async throws -> NotificationRecord {
            if canRead { return NotificationRecord() }
            throw DiskFull()
        }

        func update<Result: Sendable>(
            _ body: @escaping @Sendable (inout NotificationRecord) throws -> Result
        ) async throws -> Result {
            throw DiskFull()
        }
    }

    private func code(
        _ body: () async throws -> Void
    ) async -> UserNotificationError.Code? {
        do {
            try await body()
            return nil
        } catch {
            return (error as? UserNotificationError)?.code
        }
    }

    @Test func n1_concurrentCallersShareOneQuestion() async throws {
        let person = Person(.granted)
        let fixture = CenterFixture(store: InMemoryNotificationStore(), question: person.ask)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<20 {
                group.addTask { try await fixture.center.requestAuthorization() }
            }
            person.gate.open()
            try await group.waitForAll()
        }
        #expect(person.timesAsked.load(ordering: .relaxed) == 1)
    }

    @Test(arguments: [AuthorizationAnswer.granted, .denied])
    func n1_aStoredAnswerIsNeverAskedForAgain(_ answer: AuthorizationAnswer) async throws {
        let store = InMemoryNotificationStore()
        let person = Person(answer)
        person.gate.open()
        for _ in 0..<2 {
            let fixture = CenterFixture(store: store, question: person.ask)
            for _ in 0..<2 { _ = try? await fixture.center.requestAuthorization() }
        }
        #expect(person.timesAsked.load(ordering: .relaxed) == 1)
        #expect(await store.read().authorization == answer)
    }

    @Test func n1_anUnansweredQuestionIsAskedAgain() async throws {
        let person = Person(nil)
        person.gate.open()
        let store = InMemoryNotificationStore()
        let fixture = CenterFixture(store: store, question: person.ask)
        for _ in 0..<2 {
            #expect(try await fixture.center.requestAuthorization() == .notDetermined)
        }
        #expect(person.timesAsked.load(ordering: .relaxed) == 2)
        #expect(await store.read().authorization == nil)
    }

    @Test func n1_afterDeniedNothingIsSent() async throws {
        let fixture = CenterFixture(store: InMemoryNotificationStore(.denied))
        #expect(try await fixture.center.requestAuthorization() == .denied)
        #expect(await code { _ = try await fixture.add("1") } == .denied)
        #expect(fixture.center.delivered().isEmpty)
        #expect(fixture.backend.shown.isEmpty)
    }

    @Test func n1_aStartAsksNoQuestion() async throws {
        let person = Person(.granted)
        person.gate.open()
        let fixture = CenterFixture(store: InMemoryNotificationStore(), question: person.ask)
        fixture.center.start()
        _ = try await fixture.center.settings()
        _ = await fixture.center.pending()
        try await fixture.clock.waitForSchedules()
        #expect(await code { _ = try await fixture.add("1") } == .notDetermined)
        #expect(person.timesAsked.load(ordering: .relaxed) == 0)
    }

    @Test func nothingIsSentBeforeTheQuestion() async throws {
        let fixture = CenterFixture(store: InMemoryNotificationStore())
        #expect(await code { _ = try await fixture.add("1") } == .notDetermined)
        #expect(try await fixture.center.authorizationStatus() == .notDetermined)
    }

    @Test func anAnswerGivenElsewhereEndsTheOpenQuestion() async throws {
        let person = Person(.denied)
        let fixture = CenterFixture(store: InMemoryNotificationStore(), question: person.ask)
        let changes = MessageRecorder(
            UserNotificationAuthorizationChanged.self,
            on: fixture.messages
        )
        let request = Task { try await fixture.center.requestAuthorization() }
        try await person.isAsked.wait()
        try await fixture.center.setAuthorization(.granted)
        #expect(try await request.value == .authorized)
        person.gate.open()
        #expect(try await fixture.center.authorizationStatus() == .authorized)
        #expect(changes.messages.map(\.status) == [.authorized])
    }

    @Test func anAnswerCanBeChanged() async throws {
        let store = InMemoryNotificationStore(.denied)
        let fixture = CenterFixture(store: store)
        try await fixture.center.setAuthorization(.granted)
        #expect(try await fixture.add("1") == .accepted())
        try await fixture.center.setAuthorization(.denied)
        #expect(await code { _ = try await fixture.add("2") } == .denied)
        #expect(await store.read().authorization == .denied)
    }

    @Test func aCancelledCallerLeavesTheQuestionToTheOthers() async throws {
        let person = Person(.granted)
        let fixture = CenterFixture(store: InMemoryNotificationStore(), question: person.ask)
        let first = Task { try await fixture.center.requestAuthorization() }
        let second = Task { try await fixture.center.requestAuthorization() }
        first.cancel()
        #expect(await code { _ = try await first.value } == .cancelled)
        person.gate.open()
        #expect(try await second.value == .authorized)
    }

    @Test func theQuestionIsCancelledWithItsLastCaller() async throws {
        let cancelled = Gate()
        let asked = Gate()
        let fixture = CenterFixture(store: InMemoryNotificationStore()) { _ in
            asked.open()
            try? await Gate().wait()
            cancelled.open()
            return .granted
        }
        let only = Task { try await fixture.center.requestAuthorization() }
        try await asked.wait()
        only.cancel()
        try await cancelled.wait()
        #expect(await code { _ = try await only.value } == .cancelled)
        #expect(try await fixture.center.authorizationStatus() == .notDetermined)
    }

    @Test func anUnstoredAnswerHoldsForThisRun() async throws {
        let fixture = CenterFixture(store: FailingStore(canRead: true)) { _ in .granted }
        #expect(await code { try await fixture.center.requestAuthorization() } == .storeFailed)
        try await fixture.center.requestAuthorization()
        #expect(try await fixture.add("1") == .accepted())
    }

    @Test func anUnreadableStoreAsksNoQuestionAndSendsNothing() async throws {
        let person = Person(.granted)
        let fixture = CenterFixture(store: FailingStore(canRead: false), question: person.ask)
        #expect(await code { try await fixture.center.requestAuthorization() } == .storeFailed)
        #expect(await code { _ = try await fixture.add("1") } == .storeFailed)
        #expect(person.timesAsked.load(ordering: .relaxed) == 0)
    }
}
