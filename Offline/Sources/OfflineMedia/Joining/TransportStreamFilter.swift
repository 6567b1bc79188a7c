// SPDX-License-Identifier: Apache-2.0
import Tidings

/// Renumbers and checks the continuity counters of a transport stream made of segments, and counts
/// the units of the segments.
///
/// A demuxer treats a jump of a counter as lost packets. A jump within a segment is indeed a loss,
/// but a jump between segments that were written separately is not.
struct TransportStreamFilter {
    static let packetLength = 188
    private static let unknown: UInt8 = 0xff
    private static let nullPacket = 0x1fff

    private let check: Bool
    private var reader = TransportStreamReader()
    private var borders = SegmentBorders()
    private var segment = 0
    // By stream: the last counter written, the offset added to counters, and the last segment with
    // a packet of the stream.
    private var last = [UInt8](repeating: unknown, count: 8192)
    private var offset = [UInt8](repeating: 0, count: 8192)
    private var seenIn = [Int32](repeating: -1, count: 8192)

    init(check: Bool) {
        self.check = check
    }

    /// The contents of the segments so far.
    var contents: [SegmentContents] { reader.segments }

    /// The damage between the segments so far, or nil without `check`.
    var damage: MediaError? {
        var borders = borders
        borders.begin(segment + 1)
        guard check, let number = borders.cutSegment else { return nil }
        return Self.damage(number)
    }

    /// Starts the segment at an index.
    mutating func begin(segment: Int) {
        borders.begin(segment)
        self.segment = segment
        reader.beginSegment()
    }

    /// Ends the last segment.
    ///
    /// With `check`, the method throws `.cannotRead` for packets that are missing between segments.
    func finish() throws(MediaError) {
        if let damage { throw damage }
    }

    /// Renumbers packets in place.
    ///
    /// The first byte is the start of a packet.
    ///
    /// With `check`, the method throws `.cannotRead` for packets that are missing within the
    /// segment, and for bytes that are not a packet.
    mutating func process(_ bytes: inout [UInt8]) throws(MediaError) {
        let isWhole = bytes.withUnsafeMutableBytes { packets in
            var start = 0
            while start + Self.packetLength <= packets.count {
                let packet = UnsafeMutableRawBufferPointer(
                    rebasing: packets[start..<start + Self.packetLength]
                )
                guard process(packet) else { return false }
                start += Self.packetLength
            }
            return start == packets.count
        }
        guard isWhole || !check else { throw Self.damage(segment + 1) }
    }

    private static func damage(_ number: Int) -> MediaError {
        MediaError(
            .cannotRead,
            "Segment \(number) is damaged: packets are missing or cut. Retry the download."
        )
    }

    /// Returns false if the packet shows damage.
    private mutating func process(_ packet: UnsafeMutableRawBufferPointer) -> Bool {
        guard packet[0] == 0x47 else { return false }
        let stream = Int(packet[1] & 0x1f) << 8 | Int(packet[2])
        guard stream != Self.nullPacket else { return true }
        reader.process(UnsafeRawBufferPointer(packet), stream: stream)
        let counter = packet[3] & 0x0f
        let hasPayload = packet[3] & 0x10 != 0
        let hasField = packet[3] & 0x20 != 0
        let announcesJump = hasField && packet[4] > 0 && packet[5] & 0x80 != 0
        let isFirst = seenIn[stream] != Int32(truncatingIfNeeded: segment)
        seenIn[stream] = Int32(truncatingIfNeeded: segment)
        guard last[stream] != Self.unknown else {
            borders.add(stream: stream, counter: counter, jumps: nil)
            last[stream] = counter
            return true
        }
        let expected = (last[stream] &+ (hasPayload ? 1 : 0)) & 0x0f
        let before = (counter &+ offset[stream]) & 0x0f
        // A packet may be repeated once.
        let follows = before == expected || before == last[stream] || announcesJump
        if isFirst {
            borders.add(stream: stream, counter: counter, jumps: !follows)
            if !announcesJump { offset[stream] = (expected &- counter) & 0x0f }
        }
        let renumbered = (counter &+ offset[stream]) & 0x0f
        packet[3] = packet[3] & 0xf0 | renumbered
        last[stream] = renumbered
        return isFirst || follows || !check
    }
}
