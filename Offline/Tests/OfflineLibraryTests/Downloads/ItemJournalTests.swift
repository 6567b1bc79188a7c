// SPDX-License-Identifier: Apache-2.0
import Dispatch
import OfflineTestFixtures
import Testing
import Tidings
import TidingsTesting

@testable import OfflineLibrary

@Suite(.timeLimit(.minutes(5)))
struct ItemJournalTests {
    @Test func messagesArriveInTheOrderOfTheCommits() async throws {
        let test = try TestLibrary()
        let journal = test.library.journal
        let id = try await test.library.enqueue(try test.request("/a")).item.id
        let recorder = MessageRecorder(ItemChanged.self, on: test.library.messages)
        let isBlocked = Gate()
        let resume = DispatchSemaphore(value: 0)
        let token = journal.items.observe { state in
            guard state.data?.first?.note == "one" else { return }
            isBlocked.open()
            resume.wait()
        }
        async let first = performBlocking { try journal.change(id, .note("one")) }
        try await isBlocked.wait()
        _ = try await performBlocking { try journal.change(id, .note("two")) }
        resume.signal()
        _ = try await first
        _ = try await recorder.first(2)
        #expect(recorder.messages.map(\.item.note) == ["one", "two"])
        #expect(journal.items.lastData?.first?.note == "two")
        token.cancel()
        await test.library.stop()
    }
}
