// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import OfflineLibrary

@Suite(.timeLimit(.minutes(5)))
struct FragmentSamplesTests {
    @Test func allSegmentsOfAShortStreamAreSamples() {
        #expect(FragmentSamples.numbers([1, 2, 3], [1, 1, 1]) == [0, 1, 2])
        #expect(FragmentSamples.numbers([], []).isEmpty)
    }

    @Test func aLongStreamHasSamplesAtItsEndsAndWhereItsRateChanges() {
        var sizes = Array(repeating: 1_000, count: 1_000)
        sizes.replaceSubrange(501...503, with: [3_000, 3_000, 3_000])
        let numbers = FragmentSamples.numbers(sizes, Array(repeating: 6, count: 1_000))
        #expect(numbers.count <= FragmentSamples.limit && numbers == numbers.sorted())
        #expect(Set([0, 501, 504, 999]).isSubset(of: numbers))
        let gaps = zip(numbers, numbers.dropFirst()).map { $1 - $0 }
        #expect(gaps.allSatisfy { $0 < 100 }, "\(gaps)")
    }

    @Test func segmentsOfManyBytesHaveFewSamples() {
        let sizes = Array(repeating: 1 << 30, count: 100)
        let numbers = FragmentSamples.numbers(sizes, Array(repeating: 600, count: 100))
        #expect(numbers.count == 4 && numbers.first == 0 && numbers.last == 99)
    }
}
