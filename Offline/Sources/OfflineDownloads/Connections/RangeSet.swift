// SPDX-License-Identifier: Apache-2.0

/// Ranges of a file's bytes, in order and apart from each other.
struct RangeSet: Hashable, Sendable {
    private(set) var ranges: [Range<Int64>] = []

    /// Creates a set from ranges, which may overlap.
    init(_ ranges: some Sequence<Range<Int64>> = []) {
        for range in ranges { insert(range) }
    }

    /// The number of bytes.
    var count: Int64 { ranges.reduce(0) { $0 + Int64($1.count) } }

    /// The number of bytes from the start of the file to the first missing byte.
    var prefix: Int64 {
        guard let first = ranges.first, first.lowerBound == 0 else { return 0 }
        return first.upperBound
    }

    /// Adds a range and joins it with the ranges that it overlaps or touches.
    mutating func insert(_ range: Range<Int64>) {
        guard !range.isEmpty else { return }
        let begin = ranges.firstIndex { $0.upperBound >= range.lowerBound } ?? ranges.endIndex
        var end = begin
        var joined = range
        while end < ranges.endIndex, ranges[end].lowerBound <= range.upperBound {
            let lower = min(joined.lowerBound, ranges[end].lowerBound)
            joined = lower..<max(joined.upperBound, ranges[end].upperBound)
            end += 1
        }
        ranges.replaceSubrange(begin..<end, with: [joined])
    }

    /// Returns the missing ranges of a file with `size` bytes.
    func gaps(in size: Int64) -> [Range<Int64>] {
        var gaps: [Range<Int64>] = []
        var end: Int64 = 0
        for range in ranges where end < size {
            if range.lowerBound > end { gaps.append(end..<min(range.lowerBound, size)) }
            end = range.upperBound
        }
        if end < size { gaps.append(end..<size) }
        return gaps
    }
}
