// SPDX-License-Identifier: Apache-2.0
import Tidings

/// The jumps of the continuity counters between the segments of a transport stream.
///
/// A jump shows that packets are missing, unless the segments were written separately: then the
/// counters jump at almost every border, often to the same beginning.
struct SegmentBorders {
    private static let unknown: UInt8 = 0xff
    /// The number of jumps from which they can be regular.
    private static let regularCount = 3

    /// The first counter of each stream.
    private var first = [UInt8](repeating: unknown, count: 8192)
    private var jumps = 0
    private var restarts = 0
    private var others = 0
    /// The number of the first segment that seems cut, counted from 1.
    private var firstCut: Int?
    // Of the border before the current segment:
    private var isComparable = false
    private var jumpsHere = false
    private var beginsAlike = true

    /// Begins the next border.
    ///
    /// - Parameter segment: The index of the segment after it.
    mutating func begin(_ segment: Int) {
        defer { (isComparable, jumpsHere, beginsAlike) = (false, false, true) }
        guard isComparable else { return }
        guard jumpsHere else {
            others += 1
            return
        }
        if beginsAlike { restarts += 1 } else { jumps += 1 }
        firstCut = firstCut ?? segment - 1
    }

    /// Records the first packet of a stream in a segment.
    ///
    /// - Parameters:
    ///   - stream: The number of the stream.
    ///   - counter: The counter of the packet.
    ///   - jumps: Whether it does not follow the last one; nil without an earlier packet.
    mutating func add(stream: Int, counter: UInt8, jumps: Bool?) {
        if first[stream] == Self.unknown { first[stream] = counter }
        guard let jumps else { return }
        isComparable = true
        jumpsHere = jumpsHere || jumps
        beginsAlike = beginsAlike && counter == first[stream]
    }

    /// The number of the segment whose end is missing, counted from 1; nil without one.
    var cutSegment: Int? {
        let all = jumps + restarts
        // The same beginning by chance is rarer than a jump by chance.
        let areEnough = jumps == 0 || all >= Self.regularCount
        return areEnough && all * 4 >= (all + others) * 3 ? nil : firstCut
    }
}
