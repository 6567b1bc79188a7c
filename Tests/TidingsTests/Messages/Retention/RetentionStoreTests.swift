// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsCoreFixtures

@testable import Tidings

@Suite(.timeLimit(.minutes(15)))
struct RetentionStoreTests {
    private typealias Store = RetentionStore<String>

    private var store = Store()

    @Test mutating func keepsTheNewestAndGivesUpTheRest() {
        #expect(store.keep("a", about: nil, atMost: 2) == [])
        #expect(store.keep("b", about: nil, atMost: 2) == [])
        #expect(store.keep("c", about: nil, atMost: 2) == ["a"])
        #expect(store.newestEntries.map(\.element) == ["b", "c"])
    }

    @Test mutating func aSmallerLimitGivesUpMore() {
        for element in ["a", "b", "c"] { _ = store.keep(element, about: nil, atMost: 3) }
        #expect(store.keep("d", about: nil, atMost: 1) == ["a", "b", "c"])
        #expect(store.keep("e", about: nil, atMost: 3) == [])
        #expect(store.newestEntries.map(\.element) == ["d", "e"])
    }

    @Test mutating func eachSubjectHasItsOwnNewest() {
        let (first, second) = (Owner(), Owner())
        _ = store.keep("a", about: ObjectIdentifier(first), atMost: 1)
        _ = store.keep("b", about: ObjectIdentifier(second), atMost: 1)
        _ = store.keep("c", about: nil, atMost: 1)
        #expect(store.keep("d", about: ObjectIdentifier(first), atMost: 1) == ["a"])
        #expect(store.newestEntries.map(\.element) == ["b", "c", "d"])
    }

    @Test mutating func thoseThatWaitAreTakenInOrderAndOnce() {
        for element in ["a", "b", "c"] { wait(element) }
        #expect(store.takeWaiting(atMost: 2).map(\.element) == ["a", "b"])
        #expect(store.takeWaiting(atMost: .max).map(\.element) == ["c"])
        #expect(store.takeWaiting(atMost: .max).isEmpty)
    }

    @Test mutating func onlyTheWantedAreTaken() {
        for element in ["a", "b", "c"] { wait(element) }
        let wanted = store.waiting.filter { $0.element != "b" }.map(\.serial)
        #expect(store.takeWaiting(Set(wanted)).map(\.element) == ["a", "c"])
        #expect(store.waiting.map(\.element) == ["b"])
    }

    @Test mutating func whatWaitsAgainHasItsOldPlace() {
        for element in ["a", "b", "c"] { wait(element) }
        let taken = store.takeWaiting(atMost: 2)
        wait("d")
        for entry in taken.reversed() { store.wait(entry) }
        #expect(store.waiting.map(\.element) == ["a", "b", "c", "d"])
    }

    @Test mutating func theVersionTellsWhetherWhatWaitsHasChanged() {
        let empty = store.version
        _ = store.keep("a", about: nil, atMost: 1)
        #expect(store.version == empty)
        wait("b")
        let one = store.version
        #expect(one != empty)
        #expect(store.takeWaiting([]).isEmpty)
        #expect(store.version == one)
        _ = store.takeWaiting(atMost: 1)
        #expect(store.version != one)
    }

    @Test mutating func everythingIsInTheOrderOfPosting() {
        wait("a")
        _ = store.keep("b", about: nil, atMost: 2)
        wait("c")
        _ = store.keep("d", about: nil, atMost: 2)
        #expect(store.entries.map(\.element) == ["a", "b", "c", "d"])
        #expect(store.clear() == ["a", "b", "c", "d"])
        #expect(store.entries.isEmpty)
    }

    @Test mutating func theDeadNeverExceedTheLivingBy64() {
        let owners = (0..<1_000).map { _ in Owner() }
        for (number, owner) in owners.enumerated() {
            _ = store.keep("\(number)", about: ObjectIdentifier(owner), atMost: 1)
            // Only the last ten live.
            guard store.isDueForSweep else { continue }
            let dead = store.newestEntries.filter { Int($0.element).map { $0 < 990 } ?? true }
            #expect(store.removeNewest(Set(dead.map(\.serial))).count == dead.count)
        }
        #expect(store.newestEntries.count <= 10 + 64)
        #expect(store.newestEntries.suffix(10).map(\.element) == (990..<1_000).map { "\($0)" })
    }

    private mutating func wait(_ element: String) {
        store.wait(Store.Entry(serial: store.makeSerial(), element: element))
    }
}
