// SPDX-License-Identifier: Apache-2.0
import Synchronization
import Testing
import Tidings
import TidingsTesting

@testable import TidingsUserNotifications

@Suite(.timeLimit(.minutes(5)))
struct AuthorizationTests {
    struct DiskFull: Error {}

    /// A person that answers when the test opens the gate.
    final class Person: Sendable {
        let gate = Gate()
        let isAsked = Gate()
        let timesAsked = Atomic(0)
        let answer: AuthorizationAnswer?

        init(_ answer: AuthorizationAnswer?) {
            self.answer = answer
        }

        @Sendable func ask(_ options: AuthorizationOptions) async -> AuthorizationAnswer? {
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

    @Test func promise1_callersThatArriveMeanwhileGetTheAnswerOfOneQuestion() async throws {
        let person = Person(.granted)
        let bench = Bench(store: InMemoryNotificationStore(), question: person.ask)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<20 {
                group.addTask { try await bench.center.requestAuthorization() }
            }
            person.gate.open()
            try await group.waitForAll()
        }
        #expect(person.timesAsked.load(ordering: .relaxed) == 1)
    }

    @Test(arguments: [AuthorizationAnswer.granted, .denied])
    func promise1_aStoredAnswerIsNeverAskedForAgain(_ answer: AuthorizationAnswer) async throws {
        let store = InMemoryNotificationStore()
        let person = Person(answer)
        person.gate.open()
        for _ in 0..<2 {
            let bench = Bench(store: store, question: person.ask)
            for _ in 0..<2 { try? await bench.center.requestAuthorization() }
        }
        #expect(person.timesAsked.load(ordering: .relaxed) == 1)
        #expect(await store.read().authorization == answer)
    }

    @Test func promise1_aQuestionWithoutAnAnswerComesAgainAtTheNextNeed() async throws {
        let person = Person(nil)
        person.gate.open()
        let store = InMemoryNotificationStore()
        let bench = Bench(store: store, question: person.ask)
        for _ in 0..<2 {
            #expect(await code { try await bench.center.requestAuthorization() } == .unanswered)
        }
        #expect(person.timesAsked.load(ordering: .relaxed) == 2)
        #expect(await store.read().authorization == nil)
    }

    @Test func promise1_deniedThrowsAndNothingIsSent() async throws {
        let bench = Bench(store: InMemoryNotificationStore(.denied))
        #expect(await code { try await bench.center.requestAuthorization() } == .denied)
        #expect(await code { _ = try await bench.add("1") } == .denied)
        #expect(bench.center.delivered().isEmpty)
        #expect(bench.backend.shown.isEmpty)
    }

    @Test func promise1_aStartAsksNobody() async throws {
        let person = Person(.granted)
        person.gate.open()
        let bench = Bench(store: InMemoryNotificationStore(), question: person.ask)
        bench.center.start()
        _ = try await bench.center.settings()
        _ = await bench.center.pending()
        try await bench.clock.waitForSchedules()
        #expect(await code { _ = try await bench.add("1") } == .notDetermined)
        #expect(person.timesAsked.load(ordering: .relaxed) == 0)
    }

    @Test func nothingIsSentBeforeAnybodyWasAsked() async throws {
        let bench = Bench(store: InMemoryNotificationStore())
        #expect(await code { _ = try await bench.add("1") } == .notDetermined)
        #expect(try await bench.center.authorizationStatus() == .notDetermined)
    }

    @Test func anAnswerGivenElsewhereEndsTheOpenQuestion() async throws {
        let person = Person(.denied)
        let bench = Bench(store: InMemoryNotificationStore(), question: person.ask)
        let changes = MessageRecorder(AuthorizationChanged.self, on: bench.messages)
        let request = Task { try await bench.center.requestAuthorization() }
        try await person.isAsked.wait()
        try await bench.center.setAuthorization(.granted)
        try await request.value
        person.gate.open()
        #expect(try await bench.center.authorizationStatus() == .authorized)
        #expect(changes.messages.map(\.status) == [.authorized])
    }

    @Test func anAnswerCanBeChanged() async throws {
        let store = InMemoryNotificationStore(.denied)
        let bench = Bench(store: store)
        try await bench.center.setAuthorization(.granted)
        #expect(try await bench.add("1") == .accepted())
        try await bench.center.setAuthorization(.denied)
        #expect(await code { _ = try await bench.add("2") } == .denied)
        #expect(await store.read().authorization == .denied)
    }

    @Test func aCancelledCallerLeavesTheQuestionToTheOthers() async throws {
        let person = Person(.granted)
        let bench = Bench(store: InMemoryNotificationStore(), question: person.ask)
        let first = Task { try await bench.center.requestAuthorization() }
        let second = Task { try await bench.center.requestAuthorization() }
        first.cancel()
        #expect(await code { try await first.value } == .cancelled)
        person.gate.open()
        try await second.value
    }

    @Test func theQuestionIsCancelledWithItsLastCaller() async throws {
        let cancelled = Gate()
        let asked = Gate()
        let bench = Bench(store: InMemoryNotificationStore()) { _ in
            asked.open()
            try? await Gate().wait()
            cancelled.open()
            return .granted
        }
        let only = Task { try await bench.center.requestAuthorization() }
        try await asked.wait()
        only.cancel()
        try await cancelled.wait()
        #expect(await code { try await only.value } == .cancelled)
        #expect(try await bench.center.authorizationStatus() == .notDetermined)
    }

    @Test func anAnswerThatCannotBeStoredHoldsForThisRun() async throws {
        let bench = Bench(store: FailingStore(canRead: true)) { _ in .granted }
        #expect(await code { try await bench.center.requestAuthorization() } == .storeFailed)
        try await bench.center.requestAuthorization()
        #expect(try await bench.add("1") == .accepted())
    }

    @Test func withoutAReadableStoreNobodyIsAskedAndNothingIsSent() async throws {
        let person = Person(.granted)
        let bench = Bench(store: FailingStore(canRead: false), question: person.ask)
        #expect(await code { try await bench.center.requestAuthorization() } == .storeFailed)
        #expect(await code { _ = try await bench.add("1") } == .storeFailed)
        #expect(person.timesAsked.load(ordering: .relaxed) == 0)
    }
}
