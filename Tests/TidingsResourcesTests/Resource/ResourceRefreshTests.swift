// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsCoreFixtures
import TidingsTesting

@testable import Tidings
@testable import TidingsResources

@MainActor
@Suite(.timeLimit(.minutes(15)))
struct ResourceRefreshTests {
    private struct Online: Message {
        var isOnline = true
    }

    private let script = LoadScript<Int>()
    private let clock = ManualClock()

    private func resource(_ options: ResourceOptions = ResourceOptions()) -> Resource<Int> {
        Resource(options: options, clock: clock, loader: script.load)
    }

    private func load(_ resource: Resource<Int>, _ number: Int) async throws {
        let waiter = resource.beginRefresh()
        try await script.waitForCalls(number)
        script.answer(number, .success(number))
        _ = try await waiter.value
    }

    @Test func aMessageLoadsStaleDataWhileSomebodyObserves() async throws {
        let center = MessageCenter()
        let resource = resource(ResourceOptions(staleAfter: .seconds(60)))
        resource.refresh(on: center.messages(of: Online.self).where { $0.isOnline })
        center.post(Online())
        #expect(resource.state.phase == .unknown)
        let log = StateLog(resource)
        center.post(Online(isOnline: false))
        #expect(log.all == ["unknown"])
        center.post(Online())
        try await script.waitForCalls(1)
        script.answer(1, .success(1))
        try await log.wait(for: 3)
        center.post(Online())
        #expect(log.all == ["unknown", "loading -", "loaded 1"])
        clock.advance(by: .seconds(60))
        center.post(Online())
        #expect(log.all.last == "loading 1")
    }

    @Test func theMessageKeepsNoResource() {
        let center = MessageCenter()
        weak var gone: Resource<Int>?
        do {
            let resource = resource()
            resource.refresh(on: center.messages(of: Online.self))
            gone = resource
        }
        #expect(gone == nil)
        #expect(center.count(of: Online.self) == 0)
    }

    @Test func anIntervalLoadsAgainWhileSomebodyObserves() async throws {
        let resource = resource(ResourceOptions(refreshInterval: .seconds(10)))
        let log = StateLog(resource)
        for number in 1...3 {
            try await clock.waitForSleepers()
            clock.advance(by: .seconds(10))
            try await script.waitForCalls(number)
            script.answer(number, .success(number))
            try await log.wait(for: 1 + number * 2)
        }
        try await clock.waitForSleepers()
        log.end()
        clock.advance(by: .seconds(100))
        #expect(script.count == 3)
        let again = StateLog(resource)
        try await clock.waitForSleepers()
        clock.advance(by: .seconds(10))
        try await script.waitForCalls(4)
        again.end()
    }

    @Test func dataIsDroppedSomeTimeAfterItsLastObserverLeft() async throws {
        let resource = resource(ResourceOptions(keepsDataFor: .seconds(30)))
        let log = StateLog(resource)
        try await load(resource, 1)
        log.end()
        try await clock.waitForSleepers()
        clock.advance(by: .seconds(29))
        let back = StateLog(resource)
        #expect(back.all == ["loaded 1"])
        back.end()
        try await clock.waitForSleepers()
        await resource.change { clock.advance(by: .seconds(30)) }
        #expect(text(resource.state) == "unknown")
        #expect(resource.lastData == nil)
    }

    @Test func dataIsDroppedWhenItsLastObserverHasDied() async throws {
        let resource = resource(ResourceOptions(keepsDataFor: .seconds(30)))
        var owner: Owner? = Owner()
        if let owner { resource.publisher.observe(owner: owner) { _, _ in } }
        try await load(resource, 1)
        try await clock.waitForSleepers()
        owner = nil
        clock.advance(by: .seconds(30))
        try await clock.waitForSleepers()
        #expect(text(resource.state) == "loaded 1")
        await resource.change { clock.advance(by: .seconds(30)) }
        #expect(text(resource.state) == "unknown")
    }

    @Test func memoryOfWhatNobodyUsesIsGiven() async throws {
        weak var gone: Resource<Int>?
        do {
            let resource = resource(
                ResourceOptions(refreshInterval: .seconds(1), keepsDataFor: .seconds(1))
            )
            let log = StateLog(resource)
            try await load(resource, 1)
            try await clock.waitForSleepers(2)
            log.end()
            gone = resource
        }
        #expect(gone == nil)
    }
}
