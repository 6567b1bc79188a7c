// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsCoreFixtures
import TidingsTesting

@testable import Tidings
@testable import TidingsResources

@MainActor
@Suite(.timeLimit(.minutes(15)))
struct ResourceRetryTests {
    private let script = LoadScript<Int>()
    private let clock = ManualClock()
    private let resource: Resource<Int>

    init() {
        let policy = RetryPolicy.backoff(attempts: 3, from: .seconds(1), to: .seconds(30)) {
            error in
            error as? LoadFailure == LoadFailure(number: 9) ? .stop : .retry()
        }
        resource = Resource(
            options: ResourceOptions(retry: policy),
            store: nil,
            clock: clock,
            random: { 0 },
            loader: script.load
        )
    }

    private func fail(_ number: Int, _ failure: Int = 0) async throws {
        try await script.waitForCalls(number)
        script.answer(number, .failure(LoadFailure(number: failure)))
    }

    @Test func s6_retriesFollowThePolicyAndAreOneLoad() async throws {
        let log = StateLog(resource)
        let waiter = resource.beginRefresh()
        try await fail(1)
        try await clock.waitForSleepers()
        clock.advance(by: .milliseconds(999))
        #expect(script.count == 1)
        clock.advance(by: .milliseconds(1))
        try await fail(2)
        try await clock.waitForSleepers()
        clock.advance(by: .seconds(2))
        try await script.waitForCalls(3)
        script.answer(3, .success(4))
        #expect(await outcome(waiter) == "4")
        #expect(log.all == ["unknown", "loading -", "loaded 4"])
    }

    @Test func s11_aCancellationErrorOfTheLoaderIsTriedAgainLikeAnyFailure() async throws {
        let waiter = resource.beginRefresh()
        try await script.waitForCalls(1)
        script.answer(1, .failure(CancellationError()))
        try await clock.waitForSleepers()
        clock.advance(by: .seconds(1))
        try await script.waitForCalls(2)
        script.answer(2, .success(5))
        #expect(await outcome(waiter) == "5")
    }

    @Test func s6_theLastFailureIsTheOutcome() async throws {
        let waiter = resource.beginRefresh()
        for number in 1...3 {
            try await fail(number, number)
            if number < 3 {
                try await clock.waitForSleepers()
                clock.advance(by: .seconds(30))
            }
        }
        #expect(await outcome(waiter) == "LoadFailure(number: 3)")
        #expect(text(resource.state) == "error")
    }

    @Test func s6_anErrorThatWillNotPassIsNotTriedAgain() async throws {
        let waiter = resource.beginRefresh()
        try await fail(1, 9)
        #expect(await outcome(waiter) == "LoadFailure(number: 9)")
        #expect(clock.sleeperCount == 0)
    }

    @Test func s6_retriesStopWhenTheLastObserverLeaves() async throws {
        let log = StateLog(resource)
        resource.refreshIfNeeded()
        try await fail(1)
        try await clock.waitForSleepers()
        log.end()
        #expect(text(resource.state) == "error")
        clock.advance(by: .seconds(60))
        let waiter = resource.beginRefresh()
        try await script.waitForCalls(2)
        script.answer(2, .success(1))
        #expect(await outcome(waiter) == "1")
        #expect(script.count == 2)
    }

    @Test func s6_retriesStopWhenTheLastObserverHasDied() async throws {
        var owner: Owner? = Owner()
        if let owner { resource.publisher.observe(owner: owner) { _, _ in } }
        resource.refreshIfNeeded()
        try await script.waitForCalls(1)
        owner = nil
        await resource.change { script.answer(1, .failure(LoadFailure())) }
        #expect(text(resource.state) == "error")
        clock.advance(by: .seconds(60))
        #expect(script.count == 1)
    }

    @Test func aWriteWhileARetryWaitsIsReplacedByItsAnswer() async throws {
        let waiter = resource.beginRefresh()
        try await fail(1)
        try await clock.waitForSleepers()
        resource.publisher.updateData(5)
        clock.advance(by: .seconds(1))
        try await script.waitForCalls(2)
        script.answer(2, .success(6))
        #expect(await outcome(waiter) == "6")
        #expect(resource.lastData == 6)
    }

    @Test func s7_aResetEndsTheWaitForARetry() async throws {
        let waiter = resource.beginRefresh()
        try await fail(1)
        try await clock.waitForSleepers()
        resource.reset()
        #expect(await outcome(waiter) == "finished")
        #expect(text(resource.state) == "unknown")
        clock.advance(by: .seconds(60))
        #expect(script.count == 1)
    }
}
