// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsCoreFixtures
import TidingsTesting

@testable import Tidings
@testable import TidingsResources

@MainActor
@Suite(.timeLimit(.minutes(15)))
struct ResourceLoadTests {
    private let script = LoadScript<Int>()
    private let clock = ManualClock()
    private let resource: Resource<Int>

    init() {
        resource = Resource(
            options: ResourceOptions(staleAfter: .seconds(60)),
            clock: clock,
            loader: script.load
        )
    }

    @Test func aLoadIsToldFromItsBeginningToItsEnd() async throws {
        let log = StateLog(resource)
        resource.refreshIfNeeded()
        try await script.waitForCalls(1)
        script.answer(1, .success(7))
        try await log.wait(for: 3)
        #expect(log.all == ["unknown", "loading -", "loaded 7"])
        #expect(resource.lastData == 7)
        #expect(!resource.isStale)
    }

    @Test func s4_refreshIfNeededLoadsOnlyWhatIsStaleAndOnlyOnce() async throws {
        let log = StateLog(resource)
        resource.refreshIfNeeded()
        resource.refreshIfNeeded()
        try await script.waitForCalls(1)
        resource.refreshIfNeeded()
        script.answer(1, .success(1))
        try await log.wait(for: 3)
        resource.refreshIfNeeded()
        #expect(log.all.count == 3)
        clock.advance(by: .seconds(60))
        resource.refreshIfNeeded()
        resource.refreshIfNeeded()
        try await script.waitForCalls(2)
        script.answer(2, .failure(LoadFailure()))
        try await log.wait(for: 5)
        resource.refreshIfNeeded()
        try await script.waitForCalls(3)
        #expect(script.count == 3)
        #expect(log.all.dropFirst(3) == ["loading 1", "error", "loading 1"])
    }

    @Test func s4_whoComesMeanwhileSharesTheLoadAndItsOutcome() async throws {
        let first = resource.beginRefresh()
        try await script.waitForCalls(1)
        let (second, third) = (resource.beginRefresh(), resource.beginRefresh())
        script.answer(1, .success(5))
        #expect(await outcome(first) == "5")
        #expect(await outcome(second) == "5")
        #expect(await outcome(third) == "5")
        #expect(script.count == 1)
        let (fourth, fifth) = (resource.beginRefresh(), resource.beginRefresh())
        try await script.waitForCalls(2)
        script.answer(2, .failure(LoadFailure(number: 1)))
        #expect(await outcome(fourth) == "LoadFailure(number: 1)")
        #expect(await outcome(fifth) == "LoadFailure(number: 1)")
    }

    @Test func s4_cancellingOneOfThreeWaitersCancelsNobodyElse() async throws {
        let (first, second, third) = (
            resource.beginRefresh(), resource.beginRefresh(),
            resource.beginRefresh()
        )
        try await script.waitForCalls(1)
        second.cancel()
        #expect(await outcome(second) == "cancelled")
        script.answer(1, .success(5))
        #expect(await outcome(first) == "5")
        #expect(await outcome(third) == "5")
        #expect(script.count == 1)
    }

    @Test func s4_whenTheLastWaiterLeavesTheLoadIsCancelled() async throws {
        let (first, second) = (resource.beginRefresh(), resource.beginRefresh())
        try await script.waitForCalls(1)
        first.cancel()
        #expect(await outcome(first) == "cancelled")
        #expect(text(resource.state) == "loading -")
        second.cancel()
        #expect(await outcome(second) == "cancelled")
        try await script.waitForCancellations(1)
        #expect(text(resource.state) == "unknown")
        let third = resource.beginRefresh()
        try await script.waitForCalls(2)
        script.answer(2, .success(3))
        #expect(await outcome(third) == "3")
    }

    @Test func s4_aLoadOfTheResourceOutlivesThoseWhoWaited() async throws {
        let log = StateLog(resource)
        resource.refreshIfNeeded()
        let waiter = resource.beginRefresh()
        waiter.cancel()
        #expect(await outcome(waiter) == "cancelled")
        try await script.waitForCalls(1)
        script.answer(1, .success(1))
        try await log.wait(for: 3)
        #expect(log.all.last == "loaded 1")
    }

    @Test func s4_aLoadOfTheResourceEndsWithItsLastObserver() async throws {
        let log = StateLog(resource)
        resource.refreshIfNeeded()
        try await script.waitForCalls(1)
        log.end()
        try await script.waitForCancellations(1)
        #expect(text(resource.state) == "unknown")
    }

    @Test func s4_aWaiterKeepsTheLoadThatObserversHaveLeft() async throws {
        let log = StateLog(resource)
        resource.refreshIfNeeded()
        let waiter = resource.beginRefresh()
        log.end()
        try await script.waitForCalls(1)
        script.answer(1, .success(2))
        #expect(await outcome(waiter) == "2")
    }

    @Test func onTheMainActorItsObserversAreToldBeforeARefreshWaits() async throws {
        let log = Log<String>()
        let token = resource.publisher.observe(on: .main) { log(text($0)) }
        let waiter = resource.beginRefresh()
        #expect(log.all == ["unknown", "loading -"])
        waiter.cancel()
        _ = await waiter.result
        token.cancel()
    }

    @Test func whoIsCancelledBeforeLoadsNothing() async throws {
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await resource.refresh()
        }
        #expect(await outcome(task) == "cancelled")
        #expect(script.count == 0)
        #expect(text(resource.state) == "unknown")
    }

    @Test func s6_aFailureKeepsTheDataAndEndsTheLoading() async throws {
        for (number, answer) in [
            (1, Result<Int, any Error>.success(1)), (2, .failure(LoadFailure())),
        ] {
            let waiter = resource.beginRefresh()
            try await script.waitForCalls(number)
            script.answer(number, answer)
            _ = await waiter.result
        }
        #expect(text(resource.state) == "error")
        #expect(resource.lastData == 1)
        #expect(resource.isStale)
    }

    @Test(arguments: ["unknown", "loaded 1", "error"])
    func s6_aCancelledLoadReturnsToTheStateFromBefore(state: String) async throws {
        if state != "unknown" { resource.publisher.updateData(1) }
        if state == "error" { resource.publisher.setError(LoadFailure()) }
        let waiter = resource.beginRefresh()
        try await script.waitForCalls(1)
        #expect(resource.state.phase == .loading)
        waiter.cancel()
        _ = await waiter.result
        #expect(text(resource.state) == state)
        #expect(resource.lastData == (state == "unknown" ? nil : 1))
        #expect(resource.isStale == (state != "loaded 1"))
    }

    @Test(arguments: ["unknown", "loaded 1", "error"])
    func s11_aLoaderThatThrowsACancellationErrorByItselfHasFailed(state: String) async throws {
        if state != "unknown" { resource.publisher.updateData(1) }
        if state == "error" { resource.publisher.setError(LoadFailure()) }
        let waiter = resource.beginRefresh()
        try await script.waitForCalls(1)
        script.answer(1, .failure(CancellationError()))
        #expect(await outcome(waiter) == "cancelled")
        #expect(text(resource.state) == "error")
        #expect(resource.state.error is CancellationError)
        #expect(resource.lastData == (state == "unknown" ? nil : 1))
        #expect(resource.isStale)
    }

    @Test func s7_aLoadThatAnObserverEndsBeforeItBeganCallsNobody() async throws {
        let script = LoadScript<Int>()
        let resource = Resource(loader: script.load)
        for _ in 0..<200 {
            let token = resource.publisher.observe { state in
                if case .loading = state { resource.reset() }
            }
            resource.refreshIfNeeded()
            token.cancel()
        }
        let waiter = resource.beginRefresh()
        try await script.waitForCalls(1)
        script.answer(script.count, .success(1))
        #expect(await outcome(waiter) == "1")
        #expect(script.count == 1)
    }

    @Test func s7_aResetForgetsEverythingAndWhatComesLater() async throws {
        resource.publisher.updateData(1)
        let log = StateLog(resource)
        resource.invalidate()
        resource.refreshIfNeeded()
        let waiter = resource.beginRefresh()
        try await script.waitForCalls(1)
        resource.reset()
        #expect(await outcome(waiter) == "finished")
        try await script.waitForCancellations(1)
        #expect(log.all == ["loaded 1", "loading 1", "unknown"])
        #expect(resource.lastData == nil)
        #expect(resource.isStale)
    }

    @Test func aResourceThatGoesLeavesNoLoading() async throws {
        let script = LoadScript<Int>()
        var resource: Resource<Int>? = Resource(loader: script.load)
        let publisher = try #require(resource?.publisher)
        resource?.refreshIfNeeded()
        try await script.waitForCalls(1)
        resource = nil
        try await script.waitForCancellations(1)
        #expect(text(publisher.state) == "unknown")
    }

    @Test func loadsFreshDataOnceItIsInvalidated() async throws {
        resource.publisher.updateData(1)
        resource.refreshIfNeeded()
        #expect(text(resource.state) == "loaded 1")
        resource.invalidate()
        resource.refreshIfNeeded()
        try await script.waitForCalls(1)
        #expect(text(resource.state) == "loading 1")
    }
}

@MainActor
@Suite(.timeLimit(.minutes(15)))
struct StateSourceTests {
    private final class Source: StateSource {
        private let resource: Resource<Int>
        var publisher: StatePublisher<Int> { resource.publisher }

        init(_ resource: Resource<Int>) { self.resource = resource }

        func getData() {
            guard publisher.phase != .loading else { return }
            resource.invalidate()
            resource.refreshIfNeeded()
        }

        func refreshIfNeeded() { resource.refreshIfNeeded() }
        func logout() { resource.reset() }
    }

    @Test func aSourceDrivesAResourceFromTheMainActor() async throws {
        let script = LoadScript<Int>()
        let source: any StateSource<Int> = Source(Resource(loader: script.load))
        source.refreshIfNeeded()
        source.getData()
        try await script.waitForCalls(1)
        script.answer(1, .success(1))
        for await state in source.publisher.states.values where state.phase == .loaded { break }
        source.refreshIfNeeded()
        #expect(source.publisher.phase == .loaded)
        source.getData()
        source.getData()
        try await script.waitForCalls(2)
        source.logout()
        try await script.waitForCancellations(1)
        #expect(script.count == 2)
        #expect(source.publisher.phase == .unknown)
    }
}
