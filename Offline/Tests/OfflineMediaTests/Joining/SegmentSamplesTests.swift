// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import OfflineMedia

@Suite(.timeLimit(.minutes(15)))
struct SegmentSamplesTests {
    @Test func allSegmentsOfAShortStreamAreSamples() {
        #expect(SegmentSamples.numbers([1, 2, 3], [1, 1, 1]) == [0, 1, 2])
        #expect(SegmentSamples.numbers([], []).isEmpty)
    }

    @Test func aLongStreamHasSamplesAtItsEndsAndWhereItsRateChanges() {
        var sizes = Array(repeating: 1_000, count: 1_000)
        sizes.replaceSubrange(501...503, with: [3_000, 3_000, 3_000])
        let numbers = SegmentSamples.numbers(sizes, Array(repeating: 6, count: 1_000))
        #expect(numbers.count <= SegmentSamples.limit && numbers == numbers.sorted())
        #expect(Set([0, 501, 504, 999]).isSubset(of: numbers))
        let gaps = zip(numbers, numbers.dropFirst()).map { $1 - $0 }
        #expect(gaps.allSatisfy { $0 < 60 }, "\(gaps)")
    }
}
