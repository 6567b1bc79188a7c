// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsCoreFixtures

@testable import OfflineDownloads

@Suite struct RangeSetTests {
    private static let joined: [([Range<Int64>], [Range<Int64>])] = [
        ([0..<5, 10..<15], [0..<5, 10..<15]),
        ([10..<15, 0..<5], [0..<5, 10..<15]),
        ([0..<5, 5..<9], [0..<9]),
        ([0..<5, 10..<15, 4..<11], [0..<15]),
        ([0..<20, 3..<4], [0..<20]),
        ([3..<4, 0..<20, 30..<31], [0..<20, 30..<31]),
        ([5..<5], []),
    ]

    @Test(arguments: joined)
    func rangesThatTouchAreJoined(added: [Range<Int64>], expected: [Range<Int64>]) {
        #expect(RangeSet(added).ranges == expected)
    }

    @Test func gapsAndRangesMakeUpTheFile() {
        let set = RangeSet([2..<5, 7..<9])
        #expect(set.gaps(in: 12) == [0..<2, 5..<7, 9..<12])
        #expect(set.gaps(in: 9) == [0..<2, 5..<7])
        #expect(set.gaps(in: 6) == [0..<2, 5..<6])
        #expect(set.count == 5)
        #expect(RangeSet([0..<12]).gaps(in: 12).isEmpty)
        #expect(RangeSet().gaps(in: 3) == [0..<3])
    }

    @Test func onlyARangeFromTheFirstByteIsAPrefix() {
        #expect(RangeSet([0..<4, 6..<8]).prefix == 4)
        #expect(RangeSet([1..<4]).prefix == 0)
        #expect(RangeSet().prefix == 0)
    }

    @Test func randomRangesEqualASetOfBytes() {
        var random = SeededGenerator(39)
        for _ in 0..<200 {
            var set = RangeSet()
            var bytes: Set<Int64> = []
            for _ in 0..<12 {
                let start = Int64.random(in: 0..<60, using: &random)
                let end = start + Int64.random(in: 0..<12, using: &random)
                set.insert(start..<end)
                bytes.formUnion(start..<end)
                #expect(Set(set.ranges.flatMap { $0 }) == bytes, "\(random)")
                let gaps = Set(set.gaps(in: 72).flatMap { $0 })
                #expect(gaps == Set(0..<72).subtracting(bytes), "\(random)")
            }
        }
    }
}
