// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsCoreFixtures
import TidingsLock
import TidingsTesting

@testable import Tidings
@testable import TidingsResources

/// The time at which a family releases an entry.
@Suite(.timeLimit(.minutes(15)))
struct FamilyReleaseTests {
    /// A key that opens a gate when the last copy is gone.
    private final class Key: Hashable, Sendable {
        let number: Int
        private let isGone: Gate

        init(_ number: Int, _ isGone: Gate = Gate()) {
            self.number = number
            self.isGone = isGone
        }

        deinit { isGone.open() }

        static func == (left: Key, right: Key) -> Bool { left.number == right.number }
        func hash(into hasher: inout Hasher) { hasher.combine(number) }
    }

    private let clock = ManualClock()
    private let isGone = Gate()
    private let options = ResourceOptions(keepsDataFor: .seconds(30))

    private func family(idleLimit: Int = 100) -> ResourceFamily<Key, Int> {
        ResourceFamily(options: options, idleLimit: idleLimit, clock: clock) { $0.number }
    }

    @Test func s12_anEntryThatNobodyObservesIsReleasedAfterItsTime() async throws {
        let family = family()
        family[Key(1, isGone)].publisher.updateData(1)
        try await clock.waitForSleepers()
        clock.advance(by: .seconds(30))
        try await isGone.wait()
        #expect(family.count == 0)
    }

    @Test func s12_anEntryIsReleasedSomeTimeAfterItsLastObserverHasLeft() async throws {
        let family = family()
        let token = family.states(of: Key(1, isGone)).observe { _ in }
        try await clock.waitForSleepers()
        clock.advance(by: .seconds(30))
        // The entry is observed, so the time starts again.
        try await clock.waitForSleepers()
        #expect(family.count == 1)
        token.cancel()
        try await clock.waitForSleepers()
        clock.advance(by: .seconds(30))
        try await isGone.wait()
        #expect(family.count == 0)
    }

    @Test func aUseBeginsTheTimeOfAnEntryAgain() async throws {
        let family = family()
        family[Key(1)].publisher.updateData(1)
        try await clock.waitForSleepers()
        clock.advance(by: .seconds(20))
        #expect(family[Key(1)].lastData == 1)
        clock.advance(by: .seconds(10))
        try await clock.waitForSleepers()
        #expect(family[Key(1)].lastData == 1)
    }

    @Test func anEntryThatACallerKeepsIsFoundAgain() async throws {
        let family = family()
        let resource = family[Key(1)]
        try await clock.waitForSleepers()
        await resource.change {
            resource.publisher.updateData(1)
        }
        await resource.change { clock.advance(by: .seconds(30)) }
        #expect(resource.lastData == nil)
        #expect(family[Key(1)] === resource)
    }

    @Test func entriesBeyondTheLimitAreReleasedInTheOrderOfTheirUse() throws {
        let family = family(idleLimit: 2)
        for number in 1...2 { family[Key(number)].publisher.updateData(number) }
        _ = family[Key(1)]
        _ = family[Key(3)]
        #expect(family.count == 2)
        #expect(family[Key(1)].lastData == 1)
    }

    @Test func observedEntriesAreNotIdle() {
        let family = family(idleLimit: 1)
        let tokens = (1...3).map { family.states(of: Key($0)).observe { _ in } }
        #expect(family.count == 3)
        for token in tokens { token.cancel() }
        #expect(family.count == 1)
    }

    @Test func entriesWhoseOwnersHaveDiedAreIdle() {
        let family = family(idleLimit: 1)
        do {
            let owner = Owner()
            for number in 1...3 {
                family.states(of: Key(number)).observe(owner: owner) { _, _ in }
            }
        }
        _ = family[Key(4)]
        #expect(family.count == 1)
    }

    @Test func entriesWithALoadAreNotIdleUntilItsEnd() async throws {
        let scripts = FamilyScripts()
        let family = scripts.family(idleLimit: 1)
        async let first = family[1].refresh()
        try await scripts[1].waitForCalls(1)
        for key in 2...3 { family[key].publisher.updateData(key) }
        #expect(family.count == 2 && family[1].state.isLoading)
        scripts[1].answer(1, .success(10))
        _ = try await first
        // The end of the load is a use, so the other idle entry goes.
        #expect(family.count == 1 && family[1].lastData == 10)
    }

    @Test func entriesWithAWriteAreNotIdleUntilItsEnd() async throws {
        let family = family(idleLimit: 1)
        family[Key(1)].publisher.updateData(1)
        try await family[Key(1)].write {
            $0 = 2
        } commit: {
            family[Key(2)].publisher.updateData(2)
            #expect(family.count == 2)
        }
        #expect(family.count == 1 && family[Key(1)].lastData == 2)
    }

    /// With a cost that grows with the number of entries, this test would take hours.
    @Test func s15_aNewKeyCostsTheSameAmongManyKeys() {
        let count = 20_000
        let observed = ResourceFamily<Int, Int> { $0 }
        let tokens = (0..<count).map { observed.states(of: $0).observe { _ in } }
        #expect(observed.count == count)
        let idle = ResourceFamily<Int, Int>(idleLimit: count) { $0 }
        for key in 0..<count { _ = idle[key] }
        #expect(idle.count == count)
        // Each observer that leaves makes one more entry idle than the limit.
        for token in tokens { token.cancel() }
        #expect(observed.count == 100)
    }

    @Test func anObserverThatLeavesLetsTheFamilyFindDeadOwners() {
        let family = family(idleLimit: 1)
        let token = family.states(of: Key(9)).observe { _ in }
        do {
            let owner = Owner()
            for number in 1...3 {
                family.states(of: Key(number)).observe(owner: owner) { _, _ in }
            }
        }
        #expect(family.count == 4)
        token.cancel()
        #expect(family.count == 1)
    }

    @Test func aFamilyThatGoesReleasesItsResources() {
        weak var resource: Resource<Int>?
        do {
            let family = family()
            let token = family.states(of: Key(1)).observe { _ in }
            resource = family[Key(1)]
            #expect(resource != nil)
            token.cancel()
        }
        #expect(resource == nil)
    }
}
