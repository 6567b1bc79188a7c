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
        let token = test.library.messages.observe(ItemChanged.self) { message in
            guard message.item.note == "one" else { return }
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
        token.cancel()
        await test.library.stop()
    }

    @Test func theCountsFollowEveryChange() async throws {
        let test = try TestLibrary()
        let journal = test.library.journal
        func counts() -> [Int] {
            let counts = journal.counts.lastData ?? ItemCounts()
            return [counts.waiting, counts.videos]
        }
        let id = try await test.library.enqueue(try test.request("/a")).item.id
        _ = try await test.library.enqueue(try test.request("/b"))
        #expect(counts() == [2, 0])
        try journal.move(id, .start)
        #expect(counts() == [2, 0])
        try journal.move(id, .check, .mediaType("video/mp4"))
        try journal.move(id, .finish)
        #expect(counts() == [1, 1])
        #expect(journal.counts.lastData == ItemCounts(try journal.registry.items()))
        try journal.remove(id)
        #expect(counts() == [1, 0])
        await test.library.stop()
    }
}
