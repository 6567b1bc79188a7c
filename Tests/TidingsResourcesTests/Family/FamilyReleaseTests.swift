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
