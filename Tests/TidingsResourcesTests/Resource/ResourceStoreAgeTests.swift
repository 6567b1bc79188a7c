// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsCoreFixtures
import TidingsTesting

@testable import Tidings
@testable import TidingsResources

/// The age of a stored copy, by a wall clock that shows 1,000 seconds when the test starts.
@MainActor
@Suite(.timeLimit(.minutes(15)))
struct ResourceStoreAgeTests {
    private let script = LoadScript<Int>()
    private let clock = ManualClock()

    private func resource(
        _ store: ScriptedStore,
        staleAfter: Duration? = .seconds(60),
        keepsDataFor: Duration? = nil
    ) -> Resource<Int> {
        Resource(
            options: ResourceOptions(staleAfter: staleAfter, keepsDataFor: keepsDataFor),
            store: store,
            clock: clock,
            wallTime: { [clock] in .seconds(1_000) + clock.now.offset },
            loader: script.load
        )
    }

    @Test func s9_aFreshCopyIsTheDataAndKeepsItsAge() async throws {
        let resource = resource(ScriptedStore(3, loadedAt: .seconds(941)))
        let log = StateLog(resource)
        resource.refreshIfNeeded()
        try await log.wait(for: 3)
        #expect(log.all == ["unknown", "loading -", "loaded 3"])
        #expect(!resource.isStale)
        resource.refreshIfNeeded()
        clock.advance(by: .milliseconds(999))
        #expect(!resource.isStale)
        clock.advance(by: .milliseconds(1))
        #expect(resource.isStale)
        #expect(script.count == 0)
        resource.refreshIfNeeded()
        try await script.waitForCalls(1)
        #expect(log.all.last == "loading 3")
    }

    @Test(arguments: [940, 1_001, nil])
    func s9_aCopyThatIsTooOldOrHasNoAgeIsLoadedAgain(loadedAt: Int?) async throws {
        let store = ScriptedStore(3, loadedAt: loadedAt.map { .seconds($0) })
        let resource = resource(store)
        let log = StateLog(resource)
        resource.refreshIfNeeded()
        try await script.waitForCalls(1)
        #expect(log.all == ["unknown", "loading -", "loading 3"])
        log.end()
        #expect(text(resource.state) == "loaded 3")
        #expect(resource.isStale)
    }

    @Test func s9_aCancelledLoadLeavesAFreshCopyFresh() async throws {
        let resource = resource(ScriptedStore(3, loadedAt: .seconds(941)))
        let waiter = resource.beginRefresh()
        try await script.waitForCalls(1)
        waiter.cancel()
        _ = await waiter.result
        #expect(text(resource.state) == "loaded 3")
        #expect(!resource.isStale)
        clock.advance(by: .seconds(1))
        #expect(resource.isStale)
    }

    @Test func s9_whoWaitsGetsWhatTheSourceHas() async throws {
        let store = ScriptedStore(3, loadedAt: .seconds(1_000), isHeld: true)
        let resource = resource(store)
        resource.refreshIfNeeded()
        let waiter = resource.beginRefresh()
        store.reading.open()
        try await script.waitForCalls(1)
        script.answer(1, .success(4))
        #expect(await outcome(waiter) == "4")
    }

    @Test func s9_whatWasInvalidatedIsLoadedHoweverYoungTheCopyIs() async throws {
        let resource = resource(ScriptedStore(3, loadedAt: .seconds(1_000)))
        resource.invalidate()
        resource.refreshIfNeeded()
        try await script.waitForCalls(1)
        #expect(text(resource.state) == "loading 3")
    }

    @Test func s9_anInvalidationOutlivesDataThatNobodyUses() async throws {
        let store = ScriptedStore(3, loadedAt: .seconds(1_000))
        let resource = resource(store, keepsDataFor: .seconds(10))
        let log = StateLog(resource)
        resource.refreshIfNeeded()
        try await log.wait(for: 3)
        try await clock.waitForSleepers()
        resource.invalidate()
        log.end()
        try await clock.waitForSleepers()
        await resource.change { clock.advance(by: .seconds(10)) }
        #expect(resource.lastData == nil)
        resource.refreshIfNeeded()
        try await script.waitForCalls(1)
        #expect(text(resource.state) == "loading 3")
    }

    @Test func withoutALimitTheFirstLoadAsksTheSource() async throws {
        let resource = resource(ScriptedStore(3, loadedAt: .zero), staleAfter: nil)
        let log = StateLog(resource)
        resource.refreshIfNeeded()
        try await script.waitForCalls(1)
        #expect(text(resource.state) == "loading 3")
        log.end()
        #expect(!resource.isStale)
    }

    @Test func s9_aCopyIsStoredWithTheTimeOfItsLoad() async throws {
        let store = ScriptedStore(nil)
        let resource = resource(store)
        clock.advance(by: .seconds(5))
        let waiter = resource.beginRefresh()
        try await script.waitForCalls(1)
        script.answer(1, .success(4))
        _ = await waiter.result
        await resource.flush()
        #expect(store.copy == StoredCopy(4, loadedAt: .seconds(1_005)))
    }

    @Test func s9_aConfirmedWriteKeepsTheAgeOfTheData() async throws {
        let store = ScriptedStore(3, loadedAt: .seconds(950))
        let resource = resource(store)
        let log = StateLog(resource)
        resource.refreshIfNeeded()
        try await log.wait(for: 3)
        clock.advance(by: .seconds(5))
        try await resource.write {
            $0 += 1
        } commit: {
        }
        await resource.flush()
        #expect(store.copy == StoredCopy(4, loadedAt: .seconds(950)))
        resource.invalidate()
        try await resource.write {
            $0 += 1
        } commit: {
        }
        await resource.flush()
        #expect(store.copy == StoredCopy(5))
    }

    @Test func theSystemsWallClockShowsThisCentury() {
        #expect(WallTime.now() > .seconds(1_700_000_000))
        #expect(WallTime.now() < .seconds(4_100_000_000))
    }
}
