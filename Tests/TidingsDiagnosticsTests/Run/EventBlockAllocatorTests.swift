// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsCoreFixtures

@testable import TidingsDiagnostics

@Suite(.timeLimit(.minutes(15)))
struct EventBlockAllocatorTests {
    private func isSound(_ allocations: EventBlockAllocator, blocks: Int) -> Bool {
        var end = 0
        for allocation in allocations.allocations {
            guard allocation.block >= end, allocation.count > 0 else { return false }
            end = allocation.block + allocation.count
        }
        return end <= blocks
    }

    @Test func blocksAreAllocatedAsARing() {
        var sut = EventBlockAllocator(blocks: 10)
        #expect(sut.add(1, count: 4, isFatal: false)?.allocation.block == 0)
        #expect(sut.add(2, count: 4, isFatal: false)?.allocation.block == 4)
        #expect(sut.remove(1)?.block == 0)
        #expect(sut.add(3, count: 2, isFatal: false)?.allocation.block == 8)
        #expect(sut.add(4, count: 4, isFatal: false)?.allocation.block == 0)
        #expect(sut.first(after: 0)?.sequence == 2)
        #expect(sut.first(after: 4) == nil)
    }

    @Test func theOldestIsEvictedAndNoMoreThanNeeded() {
        var sut = EventBlockAllocator(blocks: 10)
        for sequence in UInt64(1)...5 { _ = sut.add(sequence, count: 2, isFatal: false) }
        let added = sut.add(6, count: 3, isFatal: false)
        #expect(added?.dropped.map(\.sequence) == [1, 2])
        #expect(added?.allocation.block == 0)
        #expect(sut.add(7, count: 1, isFatal: false)?.dropped.isEmpty == true)
    }

    @Test func nothingIsEvictedForAnEventThatDoesNotFit() {
        var sut = EventBlockAllocator(blocks: 10)
        _ = sut.add(1, count: 2, isFatal: false)
        _ = sut.add(2, count: 2, isFatal: true)
        _ = sut.add(3, count: 6, isFatal: false)
        #expect(sut.add(4, count: 7, isFatal: false) == nil)
        #expect(sut.add(4, count: 11, isFatal: true) == nil)
        #expect(sut.allocations.count == 3)
        #expect(sut.add(4, count: 7, isFatal: true)?.dropped.map(\.sequence) == [1, 3, 2])
    }

    @Test(arguments: 1...8)
    func allocationsNeverOverlapAndEvictionsAreReported(_ number: UInt64) {
        var random = SeededGenerator(number)
        var sut = EventBlockAllocator(blocks: 100)
        var known: Set<UInt64> = []
        for sequence in UInt64(1)...2_000 {
            if Bool.random(using: &random), let old = known.sorted().randomElement(using: &random) {
                #expect(sut.remove(old) != nil, "\(random)")
                known.remove(old)
            }
            let count = Int.random(in: 1...30, using: &random)
            let isFatal = Int.random(in: 0..<20, using: &random) == 0
            if let added = sut.add(sequence, count: count, isFatal: isFatal) {
                known.subtract(added.dropped.map(\.sequence))
                known.insert(sequence)
            }
            #expect(isSound(sut, blocks: 100), "\(random)")
            #expect(Set(sut.allocations.map(\.sequence)) == known, "\(random)")
        }
    }
}
