// SPDX-License-Identifier: Apache-2.0
import OfflineSources

/// Segments of a stream whose timestamps, tracks and format continue from one to the next.
struct StreamSection: Hashable, Sendable {
    /// The index of the initialization section among the parts, or nil if the segments need none.
    var header: Int?
    /// The indexes of the segments among the parts.
    var segments: [Int] = []
    /// The indexes of the parts among the segments that the server lacks.
    var gaps: [Int] = []

    /// The indexes of all parts to join, in order.
    var parts: [Int] { (header.map { [$0] } ?? []) + segments }

    /// The gaps before each segment.
    var gapsBeforeSegments: [ArraySlice<Int>] {
        var rest = gaps[...]
        return segments.map { segment in
            let before = rest.prefix { $0 < segment }
            rest = rest.dropFirst(before.count)
            return before
        }
    }

    /// Divides the parts of a track at each discontinuity and each new initialization section.
    ///
    /// - Parameters:
    ///   - parts: The parts in order. The sections refer to the indexes of these parts.
    ///   - areEqual: Returns whether two initialization sections have the same bytes.
    /// - Returns: The sections in order, each with segments.
    static func sections(
        of parts: ArraySlice<Part>,
        areEqual: (Int, Int) -> Bool
    ) -> [StreamSection] {
        var sections: [StreamSection] = []
        var current = StreamSection()
        func endSection() {
            if !current.segments.isEmpty { sections.append(current) }
            (current.segments, current.gaps) = ([], [])
        }
        for (index, part) in zip(parts.indices, parts) {
            if part.isInitialization {
                if let header = current.header, areEqual(header, index) { continue }
                endSection()
                current.header = index
            } else {
                if part.isDiscontinuity { endSection() }
                if part.isGap {
                    current.gaps.append(index)
                } else {
                    current.segments.append(index)
                }
            }
        }
        endSection()
        return sections
    }

    /// Divides the section before the segments with these ordered numbers, counted from 0.
    func divided(before numbers: [Int]) -> [StreamSection] {
        var gaps = gaps[...]
        return zip([0] + numbers, numbers + [segments.count]).map { start, end in
            let own = end == segments.count ? gaps : gaps.prefix { $0 < segments[end] }
            gaps = gaps.dropFirst(own.count)
            return StreamSection(
                header: header,
                segments: Array(segments[start..<end]),
                gaps: Array(own)
            )
        }
    }
}
