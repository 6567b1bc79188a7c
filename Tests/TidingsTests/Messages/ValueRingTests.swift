// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsCoreFixtures

@testable import Tidings

@Suite(.timeLimit(.minutes(15)))
struct ValueRingTests {
    @Test func keepsTheOrderWhileItGrowsAndTurns() {
        var ring = ValueRing(LayoutOf<String>())
        var expected: [String] = []
        var seen: [String] = []
        for round in 0..<200 {
            for step in 0..<(round % 7) {
                expected.append("\(round).\(step)")
                Incoming.with("\(round).\(step)") { ring.append($0) }
            }
            for _ in 0..<(round % 5) {
                if let value = ring.popFirst(as: String.self) { seen.append(value) }
            }
        }
        while let value = ring.popFirst(as: String.self) { seen.append(value) }
        #expect(seen == expected)
        let isEmpty = ring.isEmpty
        #expect(isEmpty)
    }

    @Test func releasesWhatIsTakenAndWhatIsLeft() {
        let log = Log<Int>()
        do {
            var ring = ValueRing(LayoutOf<Canary>())
            for number in 1...6 { Incoming.with(Canary { log(number) }) { ring.append($0) } }
            _ = ring.popFirst(as: Canary.self)
            _ = ring.popFirst(as: Canary.self)
            #expect(log.all == [1, 2])
            for number in 7...9 { Incoming.with(Canary { log(number) }) { ring.append($0) } }
            #expect(log.all == [1, 2])
        }
        #expect(log.all.sorted() == Array(1...9))
    }

    @Test func takesTheFirstOfAnother() {
        var one = ValueRing(LayoutOf<Int>())
        var other = ValueRing(LayoutOf<Int>())
        for number in 1...3 { Incoming.with(number) { one.append($0) } }
        let moved = (other.appendFirst(of: &one), other.appendFirst(of: &one))
        #expect(moved == (true, true))
        let count = one.count
        #expect(count == 1)
        let values = [other.popFirst(as: Int.self), other.popFirst(as: Int.self)]
        #expect(values == [1, 2])
        let movedNothing = other.appendFirst(of: &one) && other.appendFirst(of: &one)
        #expect(!movedNothing)
    }

    @Test func valuesWithoutSizeAreCounted() {
        struct Nothing: Sendable {}
        var ring = ValueRing(LayoutOf<Nothing>())
        for _ in 0..<10 { Incoming.with(Nothing()) { ring.append($0) } }
        var count = 0
        while ring.popFirst(as: Nothing.self) != nil { count += 1 }
        #expect(count == 10)
    }

    @Test func aRingThatWasVeryFullGivesItsMemoryBack() {
        var ring = ValueRing(LayoutOf<Int>())
        for number in 0..<5_000 { Incoming.with(number) { ring.append($0) } }
        while ring.popFirst(as: Int.self) != nil {}
        ring.shrink()
        Incoming.with(1) { ring.append($0) }
        let value = ring.popFirst(as: Int.self)
        #expect(value == 1)
    }
}
