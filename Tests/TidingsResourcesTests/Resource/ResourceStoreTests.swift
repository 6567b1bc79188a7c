// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsCoreFixtures
import TidingsTesting

@testable import Tidings
@testable import TidingsResources

@MainActor
@Suite(.timeLimit(.minutes(15)))
struct ResourceStoreTests {
    private let script = LoadScript<Int>()
    private let failures = Log<String>()

    private func resource(_ store: ScriptedStore) -> Resource<Int> {
        Resource(
            store: store,
            storeFailed: { [failures] in failures("\($0)") },
            loader: script.load
        )
    }

    @Test func theStoredCopyIsShownWhileTheFirstLoadRunsAndStaysIfItFails() async throws {
        let store = ScriptedStore(3)
        let resource = resource(store)
        let log = StateLog(resource)
        resource.refreshIfNeeded()
        try await script.waitForCalls(1)
        #expect(log.all == ["unknown", "loading -", "loading 3"])
        script.answer(1, .failure(LoadFailure()))
        try await log.wait(for: 4)
        #expect(log.all.last == "error")
        #expect(resource.lastData == 3)
        #expect(resource.isStale)
        resource.refreshIfNeeded()
        try await script.waitForCalls(2)
        script.answer(2, .success(4))
        try await log.wait(for: 6)
        #expect(log.all.suffix(2) == ["loading 3", "loaded 4"])
        await resource.flush()
        #expect(store.steps.all == ["read", "write 4"])
    }

    @Test func aCancelledFirstLoadLeavesTheStoredCopyAsStale() async throws {
        let resource = resource(ScriptedStore(3))
        let waiter = resource.beginRefresh()
        try await script.waitForCalls(1)
        waiter.cancel()
        _ = await waiter.result
        #expect(text(resource.state) == "loaded 3")
        #expect(resource.isStale)
    }

    @Test func aLoadThatEndedWhileTheStoreWasReadLeavesTheCopyToTheNext() async throws {
        let store = ScriptedStore(3, isHeld: true)
        let resource = resource(store)
        let quitter = resource.beginRefresh()
        quitter.cancel()
        _ = await quitter.result
        store.reading.open()
        let log = StateLog(resource)
        resource.refreshIfNeeded()
        try await script.waitForCalls(1)
        #expect(log.all == ["unknown", "loading -", "loading 3"])
    }

    @Test func aWriteWhileTheStoreIsReadIsNotReplacedByTheCopy() async throws {
        let store = ScriptedStore(3, isHeld: true)
        let resource = resource(store)
        resource.refreshIfNeeded()
        resource.publisher.updateData(8)
        store.reading.open()
        try await script.waitForCalls(1)
        #expect(text(resource.state) == "loaded 8")
    }

    @Test func aStoreThatDoesNotAnswerKeepsNoResource() async throws {
        let store = ScriptedStore(3, isHeld: true)
        weak var gone: Resource<Int>?
        do {
            let resource = resource(store)
            resource.refreshIfNeeded()
            gone = resource
            try await store.begun.wait()
        }
        #expect(gone == nil)
        store.reading.open()
    }

    @Test func aStoreThatFailsCostsTheCopyAndNoData() async throws {
        let store = ScriptedStore(3, failure: LoadFailure(number: 1))
        let resource = resource(store)
        let waiter = resource.beginRefresh()
        try await script.waitForCalls(1)
        script.answer(1, .success(5))
        #expect(await outcome(waiter) == "5")
        await resource.flush()
        #expect(failures.all == ["LoadFailure(number: 1)", "LoadFailure(number: 1)"])
        store.heal()
        let next = resource.beginRefresh()
        try await script.waitForCalls(2)
        script.answer(2, .success(6))
        #expect(await outcome(next) == "6")
        await resource.flush()
        #expect(store.steps.all == ["read", "write 5", "write 6"])
    }

    @Test func s7_aResetInsideAnObserverForgetsWhatWasJustLoaded() async throws {
        let store = ScriptedStore(nil)
        let resource = resource(store)
        let token = resource.publisher.observe { [weak resource] state in
            if case .loaded = state { resource?.reset() }
        }
        let waiter = resource.beginRefresh()
        try await script.waitForCalls(1)
        script.answer(1, .success(5))
        _ = await waiter.result
        await resource.flush()
        #expect(store.steps.all.last == "remove")
        token.cancel()
    }

    @Test func whoSeesTheDataCanWaitUntilItIsStored() async throws {
        let store = ScriptedStore(nil)
        let resource = resource(store)
        let states = resource.publisher.states.values
        resource.refreshIfNeeded()
        try await script.waitForCalls(1)
        script.answer(1, .success(5))
        for await state in states where state.phase == .loaded { break }
        await resource.flush()
        #expect(store.steps.all == ["read", "write 5"])
    }

    @Test func aWriteInsideAnObserverIsStoredAfterTheAnswer() async throws {
        let store = ScriptedStore(nil)
        let resource = resource(store)
        let writes = Log<Task<Void, any Error>>()
        let token = resource.publisher.observe { [weak resource] state in
            guard case .loaded(5) = state, let resource else { return }
            writes(
                Task.immediate {
                    try await resource.write {
                        $0 += 1
                    } commit: {
                    }
                }
            )
        }
        let waiter = resource.beginRefresh()
        try await script.waitForCalls(1)
        script.answer(1, .success(5))
        _ = await waiter.result
        for write in writes.all { try await write.value }
        await resource.flush()
        #expect(store.steps.all.last == "write 6")
        #expect(resource.lastData == 6)
        token.cancel()
    }

    @Test func s7_aResetForgetsTheStoredCopy() async throws {
        let store = ScriptedStore(3)
        let resource = resource(store)
        let waiter = resource.beginRefresh()
        try await script.waitForCalls(1)
        script.answer(1, .success(5))
        _ = await waiter.result
        resource.reset()
        let next = resource.beginRefresh()
        try await script.waitForCalls(2)
        #expect(text(resource.state) == "loading -")
        script.answer(2, .failure(LoadFailure()))
        _ = await next.result
        #expect(resource.lastData == nil)
        #expect(store.steps.all.suffix(2) == ["remove", "read"])
    }
}

@Suite(.timeLimit(.minutes(15)))
struct StoreStepsTests {
    private func text(_ step: StoreSteps<Int>.Step?) -> String {
        switch step {
        case .read: "read"
        case .write(let value): "write \(value)"
        case .remove: "remove"
        case .tell: "tell"
        case nil: "end"
        }
    }

    private func run(_ steps: [StoreSteps<Int>.Step]) -> [String] {
        var machine = StoreSteps<Int>()
        var replaced: [StoreSteps<Int>.Step] = []
        var begins = 0
        for step in steps where machine.append(step, replaced: &replaced) { begins += 1 }
        #expect(begins == 1)
        var texts: [String] = []
        while let step = machine.next() { texts.append(text(step)) }
        #expect(machine.append(.remove, replaced: &replaced))
        return texts
    }

    @Test func aValueThatWaitsIsReplacedByANewerOneAndByRemoving() {
        #expect(run([.write(1), .write(2)]) == ["write 2"])
        #expect(run([.write(1), .remove, .write(2), .write(3)]) == ["remove", "write 3"])
    }

    @Test func whatIsBetweenTwoWritesKeepsTheirOrder() {
        #expect(run([.write(1), .read { _ in }, .write(2)]) == ["write 1", "read", "write 2"])
        #expect(run([.write(1), .tell {}, .remove]) == ["write 1", "tell", "remove"])
    }
}
