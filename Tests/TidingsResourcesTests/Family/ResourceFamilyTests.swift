// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsCoreFixtures
import TidingsLock
import TidingsTesting

@testable import Tidings
@testable import TidingsResources

@Suite(.timeLimit(.minutes(15)))
struct ResourceFamilyTests {
    private let scripts = FamilyScripts()
    private let log = Log<String>()

    @Test func s12_twoKeysShareNeitherALoadNorAState() async throws {
        let family = scripts.family()
        async let first = family[1].refresh()
        async let second = family[2].refresh()
        try await scripts[1].waitForCalls(1)
        try await scripts[2].waitForCalls(1)
        scripts[2].answer(1, .success(20))
        #expect(try await second == 20)
        #expect(text(family[1].state) == "loading -")
        scripts[1].answer(1, .success(10))
        #expect(try await first == 10)
        #expect([1, 2].map { text(family[$0].state) } == ["loaded 10", "loaded 20"])
        #expect([1, 2].map { scripts[$0].count } == [1, 1])
    }

    @Test func oneKeyHasOneResourceOnAllThreads() async {
        let family = scripts.family()
        let found = Lock<[ObjectIdentifier: Int]>([:])
        await runOnThreads(
            (0..<4).map { _ in
                {
                    for key in 1...9 {
                        let id = ObjectIdentifier(family[key])
                        found.withLock { $0[id, default: 0] += 1 }
                    }
                }
            }
        )
        #expect(found.withLock { $0.values.sorted() } == Array(repeating: 4, count: 9))
    }

    @Test func keysAreInvalidatedAloneAndByAPredicate() {
        let family = scripts.family()
        for key in 1...4 { family[key].publisher.updateData(key) }
        family.invalidate { $0 == 1 }
        family.invalidate { $0 > 3 }
        family.invalidate { $0 == 9 }
        #expect((1...4).filter { family[$0].isStale } == [1, 4])
        #expect(family.count == 4)
    }

    @Test func aResetDropsTheDataOfEveryKey() {
        let family = scripts.family()
        for key in 1...2 { family[key].publisher.updateData(key) }
        family.reset()
        #expect((1...2).map { family[$0].lastData } == [nil, nil])
    }

    @Test func observersOfAKeyReceiveItsStates() async throws {
        let family = scripts.family()
        let token = family.states(of: 1).where { !$0.isLoading }.observe { log(text($0)) }
        async let answer = family[1].refresh()
        try await scripts[1].waitForCalls(1)
        scripts[1].answer(1, .success(10))
        _ = try await answer
        #expect(log.all == ["unknown", "loaded 10"])
        token.cancel()
    }

    @Test func m9_keysAreHashedWithoutALock() {
        struct Key: Hashable {
            let number: Int
            let body: @Sendable () -> Void

            static func == (left: Key, right: Key) -> Bool { left.number == right.number }

            func hash(into hasher: inout Hasher) {
                body()
                hasher.combine(number)
            }
        }
        let family = ResourceFamily<Key, Int> { $0.number }
        let key = Key(number: 1) { [log] in
            let isFree = finishesOnAnotherThread {
                family.invalidate { _ in true }
                _ = family[Key(number: 2) {}]
            }
            log(isFree ? "free" : "locked")
        }
        family[key].publisher.updateData(1)
        family.invalidate { $0 == key }
        #expect(Set(log.all) == ["free"])
        #expect(family.count == 2)
    }

    @Test func aFamilyKeepsAtLeastOneIdleEntry() async {
        await #expect(processExitsWith: .failure) {
            _ = ResourceFamily<Int, Int>(idleLimit: 0) { $0 }
        }
    }
}
