// SPDX-License-Identifier: Apache-2.0

/// The jumps of the continuity counters between the segments of a transport stream.
///
/// A jump shows that packets are missing, unless the segments were written separately. The counters
/// of such segments jump at almost every border, often to the same beginning.
struct SegmentBorders {
    private static let unknown: UInt8 = 0xff
    /// The smallest number of jumps that can be regular.
    private static let regularCount = 3

    /// The first counter of each stream.
    private var first = [UInt8](repeating: unknown, count: 8192)
    private var jumps = 0
    private var restarts = 0
    private var others = 0
    /// The number of the first segment that seems cut, counted from 1.
    private var firstCut: Int?
    // The state of the border before the current segment:
    private var isComparable = false
    private var jumpsHere = false
    private var beginsAlike = true

    /// Starts the next border.
    ///
    /// - Parameter segment: The index of the segment after the border.
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
    ///   - jumps: Whether the counter does not follow the last counter, or nil without an earlier
    ///     packet.
    mutating func add(stream: Int, counter: UInt8, jumps: Bool?) {
        if first[stream] == Self.unknown { first[stream] = counter }
        guard let jumps else { return }
        isComparable = true
        jumpsHere = jumpsHere || jumps
        beginsAlike = beginsAlike && counter == first[stream]
    }

    /// The number of the segment whose end is missing, counted from 1, or nil without such a
    /// segment.
    var cutSegment: Int? {
        let all = jumps + restarts
        // The same beginning by chance is rarer than a jump by chance.
        let areEnough = jumps == 0 || all >= Self.regularCount
        return areEnough && all * 4 >= (all + others) * 3 ? nil : firstCut
    }
}
