// SPDX-License-Identifier: Apache-2.0
import Tidings

/// Renumbers the continuity counters of a transport stream made of segments, checks them, and
/// counts the units of the segments.
///
/// A demuxer treats a jump of a counter as lost packets. Between segments that were encoded
/// separately, a jump is no loss; within a segment it is.
struct TransportStreamFilter {
    static let packetLength = 188
    private static let unknown: UInt8 = 0xff
    private static let nullPacket = 0x1fff

    private let check: Bool
    private var reader = TransportStreamReader()
    private var segment = 0
    private var isDamaged = false
    /// Whether counters may restart in this segment.
    private var mayRestart = true
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

    /// Begins the segment at an index.
    mutating func begin(segment: Int) {
        self.segment = segment
        mayRestart = !check
        reader.beginSegment()
    }

    /// Renumbers packets in place; the bytes begin at the start of a packet.
    ///
    /// With `check`, throws `.cannotRead` for missing packets, and for bytes that are no packet.
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
        guard isWhole || !check else {
            throw MediaError(
                .cannotRead,
                "Segment \(segment) is damaged: packets are missing or cut. Retry the download."
            )
        }
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
        defer { seenIn[stream] = Int32(truncatingIfNeeded: segment) }
        guard last[stream] != Self.unknown else {
            last[stream] = counter
            return true
        }
        let expected = (last[stream] &+ (hasPayload ? 1 : 0)) & 0x0f
        let isFirst = seenIn[stream] != Int32(truncatingIfNeeded: segment)
        if isFirst, mayRestart, !announcesJump {
            offset[stream] = (expected &- counter) & 0x0f
        }
        let renumbered = (counter &+ offset[stream]) & 0x0f
        packet[3] = packet[3] & 0xf0 | renumbered
        // A packet may be repeated once.
        let isExpected = renumbered == expected || renumbered == last[stream]
        last[stream] = renumbered
        return isExpected || announcesJump || !check
    }
}
