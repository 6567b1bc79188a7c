// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsCoreFixtures
import TidingsTesting

@testable import Tidings
@testable import TidingsResources

/// Answers that come too late, from a source that ignores cancellation.
@MainActor
@Suite(.timeLimit(.minutes(15)))
struct ResourceRaceTests {
    private let script = LoadScript<Int>(heedsCancellation: false)
    private let resource: Resource<Int>
    private let log: StateLog

    init() {
        resource = Resource(loader: script.load)
        log = StateLog(resource)
    }

    private func begin(_ number: Int = 1) async throws {
        resource.beginLoad()
        try await script.waitForCalls(number)
    }

    /// Loads once more, so that everything before is over.
    private func settle(_ number: Int) async throws -> Int {
        let waiter = resource.beginRefresh()
        try await script.waitForCalls(number)
        script.answer(number, .success(number * 100))
        return try await waiter.value
    }

    @Test func s5_aLateAnswerAfterANewerOneIsDropped() async throws {
        try await begin()
        resource.reset()
        try await begin(2)
        script.answer(2, .success(2))
        try await log.wait(for: 5)
        script.answer(1, .success(1))
        #expect(try await settle(3) == 300)
        #expect(
            log.all == [
                "unknown", "loading -", "unknown", "loading -", "loaded 2", "loading 2",
                "loaded 300",
            ]
        )
    }

    @Test func s5_aLateAnswerAfterAWriteIsDropped() async throws {
        try await begin()
        let waiter = resource.beginRefresh()
        resource.publisher.updateData(9)
        script.answer(1, .success(1))
        #expect(await outcome(waiter) == "9")
        #expect(log.all == ["unknown", "loading -", "loaded 9"])
        #expect(resource.lastData == 9)
    }

    @Test func s5_aLateAnswerAfterAnEditIsDroppedAndLeavesNoLoading() async throws {
        resource.publisher.updateData(1)
        try await begin()
        resource.publisher.update { $0 += 10 }
        script.answer(1, .success(5))
        try await log.wait(for: 5)
        #expect(log.all == ["unknown", "loaded 1", "loading 1", "loading 11", "loaded 11"])
    }

    @Test func s5_aLateFailureAfterAWriteIsDropped() async throws {
        try await begin()
        let waiter = resource.beginRefresh()
        resource.publisher.updateData(9)
        script.answer(1, .failure(LoadFailure()))
        #expect(await outcome(waiter) == "LoadFailure(number: 0)")
        #expect(text(resource.state) == "loaded 9")
    }

    @Test func s5_aLateAnswerAfterAnInvalidationIsDroppedAndOneLoadFollows() async throws {
        try await begin()
        let waiter = resource.beginRefresh()
        resource.invalidate()
        script.answer(1, .success(1))
        try await script.waitForCalls(2)
        #expect(log.all == ["unknown", "loading -"])
        script.answer(2, .success(2))
        #expect(await outcome(waiter) == "2")
        #expect(log.all == ["unknown", "loading -", "loaded 2"])
        #expect(!resource.isStale)
        #expect(script.count == 2)
    }

    @Test func s5_anInvalidationOfThePublisherIsOneOfTheResource() async throws {
        let waiter = resource.beginRefresh()
        try await script.waitForCalls(1)
        resource.publisher.invalidate()
        script.answer(1, .success(1))
        try await script.waitForCalls(2)
        script.answer(2, .success(2))
        #expect(await outcome(waiter) == "2")
        #expect(log.all == ["unknown", "loading -", "loaded 2"])
    }

    @Test func s5_manyInvalidationsDuringALoadCauseOneMore() async throws {
        try await begin()
        for _ in 0..<10 { resource.invalidate() }
        script.answer(1, .failure(LoadFailure()))
        try await script.waitForCalls(2)
        script.answer(2, .success(2))
        try await log.wait(for: 3)
        #expect(script.count == 2)
        #expect(log.all == ["unknown", "loading -", "loaded 2"])
    }

    @Test func s5_anInvalidationDuringTheFurtherLoadCausesAnother() async throws {
        try await begin()
        resource.invalidate()
        script.answer(1, .success(1))
        try await script.waitForCalls(2)
        resource.invalidate()
        resource.invalidate()
        script.answer(2, .success(2))
        try await script.waitForCalls(3)
        script.answer(3, .success(3))
        try await log.wait(for: 3)
        #expect(log.all == ["unknown", "loading -", "loaded 3"])
    }

    @Test func anInvalidationWithoutALoadIsLoadedWhenSomebodyAsks() async throws {
        try await begin()
        script.answer(1, .success(1))
        try await log.wait(for: 3)
        resource.invalidate()
        resource.invalidate()
        #expect(resource.isStale)
        #expect(script.count == 1)
        resource.refreshIfNeeded()
        try await script.waitForCalls(2)
        script.answer(2, .success(2))
        try await log.wait(for: 5)
        #expect(!resource.isStale)
    }

    @Test func s7_aLateAnswerAfterAResetIsDropped() async throws {
        try await begin()
        resource.reset()
        script.answer(1, .success(1))
        #expect(try await settle(2) == 200)
        #expect(log.all == ["unknown", "loading -", "unknown", "loading -", "loaded 200"])
    }

    @Test func s7_aResetOfThePublisherDropsTheAnswerToo() async throws {
        try await begin()
        let waiter = resource.beginRefresh()
        resource.publisher.reset()
        script.answer(1, .success(1))
        #expect(await outcome(waiter) == "finished")
        #expect(log.all == ["unknown", "loading -", "unknown"])
    }

    @Test func s4_aCancelledLoadSaysNothingToWhoComesAfterIt() async throws {
        let quitter = resource.beginRefresh()
        try await script.waitForCalls(1)
        quitter.cancel()
        _ = await quitter.result
        let waiter = resource.beginRefresh()
        try await script.waitForCalls(2)
        script.answer(1, .failure(CancellationError()))
        script.answer(2, .success(2))
        #expect(await outcome(waiter) == "2")
    }
}
