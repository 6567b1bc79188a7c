// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsCoreFixtures
import TidingsTesting

@testable import Tidings
@testable import TidingsResources

/// Retries that follow a publisher of the connectivity.
@MainActor
@Suite(.timeLimit(.minutes(15)))
struct ResourceOfflineTests {
    private let script = LoadScript<Int>()
    private let clock = ManualClock()
    private let isOffline = StatePublisher<Bool>()
    private let calls = Log<Bool>()
    private let resource: Resource<Int>

    init() {
        let retry = RetryPolicy.backoff(from: .seconds(8)).pausing(with: isOffline) { $0 }
        resource = Resource(
            options: ResourceOptions(retry: retry),
            store: nil,
            clock: clock,
            random: { 0 },
            loader: { [script, isOffline, calls] in
                calls(isOffline.state.value ?? false)
                return try await script.load()
            }
        )
    }

    /// Fails a call and waits until the next retry waits.
    private func fail(_ number: Int) async throws {
        try await script.waitForCalls(number)
        script.answer(number, .failure(LoadFailure()))
        try await clock.waitForSleepers()
    }

    @Test func s10_aRetryThatIsDueWaitsUntilTheMachineIsOnline() async throws {
        isOffline.updateData(true)
        let waiter = resource.beginRefresh()
        try await fail(1)
        clock.advance(by: .seconds(60))
        isOffline.updateData(true)
        #expect(script.count == 1)
        isOffline.updateData(false)
        try await script.waitForCalls(2)
        script.answer(2, .success(1))
        #expect(await outcome(waiter) == "1")
        #expect(calls.all == [true, false])
    }

    @Test func s10_comingOnlineTriesAgainAtOnce() async throws {
        let waiter = resource.beginRefresh()
        try await fail(1)
        isOffline.updateData(true)
        isOffline.updateData(false)
        try await script.waitForCalls(2)
        #expect(isOffline.observerCount == 0)
        script.answer(2, .success(1))
        #expect(await outcome(waiter) == "1")
    }

    @Test(arguments: ["unknown", "online", "error"])
    func s10_withoutWordOfBeingOfflineTheDelayDecides(connectivity: String) async throws {
        if connectivity == "online" { isOffline.updateData(false) }
        if connectivity == "error" { isOffline.setError(LoadFailure()) }
        let waiter = resource.beginRefresh()
        try await fail(1)
        #expect(isOffline.observerCount == 1)
        clock.advance(by: .milliseconds(7_999))
        #expect(script.count == 1)
        clock.advance(by: .milliseconds(1))
        try await script.waitForCalls(2)
        script.answer(2, .success(1))
        #expect(await outcome(waiter) == "1")
    }

    @Test func s6_aPausedRetryStopsWhenTheLastObserverLeaves() async throws {
        isOffline.updateData(true)
        let log = StateLog(resource)
        resource.refreshIfNeeded()
        try await fail(1)
        log.end()
        #expect(text(resource.state) == "error")
        isOffline.updateData(false)
        let waiter = resource.beginRefresh()
        try await script.waitForCalls(2)
        script.answer(2, .success(1))
        #expect(await outcome(waiter) == "1")
        #expect(script.count == 2)
    }

    @Test func s6_aPausedRetryStopsWhenTheLastObserverHasDiedMeanwhile() async throws {
        isOffline.updateData(true)
        var owner: Owner? = Owner()
        if let owner { resource.publisher.observe(owner: owner) { _, _ in } }
        resource.refreshIfNeeded()
        try await fail(1)
        owner = nil
        await resource.change { isOffline.updateData(false) }
        #expect(text(resource.state) == "error")
        #expect(script.count == 1)
    }
}

/// Loads that take longer than three seconds.
@MainActor
@Suite(.timeLimit(.minutes(15)))
struct SlowLoadTests {
    private let script = LoadScript<Int>()
    private let clock = ManualClock()
    private let resource: Resource<Int>

    init() {
        resource = Resource(
            options: ResourceOptions(slowAfter: .seconds(3)),
            clock: clock,
            loader: script.load
        )
    }

    @Test func s10_observersReceiveTheStateAgainWhenALoadIsSlow() async throws {
        let log = Log<String>()
        let publisher = resource.publisher
        let token = publisher.observe { [weak publisher] state in
            log("\(text(state)) \(publisher?.isSlow ?? false)")
        }
        // This is the last observer, so the log has each state before this observer does.
        var states = publisher.states.values.makeAsyncIterator()
        resource.refreshIfNeeded()
        try await clock.waitForSleepers()
        clock.advance(by: .milliseconds(2_999))
        #expect(!resource.isSlow)
        clock.advance(by: .milliseconds(1))
        for _ in 1...3 { _ = await states.next() }
        #expect(log.all == ["unknown false", "loading - false", "loading - true"])
        #expect(resource.isSlow)
        try await script.waitForCalls(1)
        script.answer(1, .success(1))
        #expect(await states.next().map(text) == "loaded 1")
        #expect(log.all.last == "loaded 1 false")
        #expect(!resource.isSlow)
        publisher.startLoading()
        #expect(!resource.isSlow)
        token.cancel()
    }

    @Test func s10_swiftsObservationSeesASlowLoad() async throws {
        let waiter = resource.beginRefresh()
        try await clock.waitForSleepers()
        await resource.change { clock.advance(by: .seconds(3)) }
        let publisher = resource.publisher
        #expect(publisher.isSlow)
        waiter.cancel()
        _ = await waiter.result
        #expect(!publisher.isSlow)
    }

    @Test func aChangeWhileALoadIsSlowKeepsItSlow() {
        let publisher = StatePublisher<Int>()
        publisher.updateData(1)
        publisher.startLoading()
        publisher.change { $0.markSlow() }
        publisher.update { $0 += 1 }
        #expect(publisher.isSlow)
        #expect(text(publisher.state) == "loading 2")
        publisher.setError(LoadFailure())
        #expect(!publisher.change { $0.markSlow() })
        #expect(!publisher.isSlow)
    }
}
