// SPDX-License-Identifier: Apache-2.0

/// Counts the units of the tracks in a transport stream and reads their times.
struct TransportStreamReader {
    /// The contents of the segments so far.
    private(set) var segments: [SegmentContents] = []
    /// The last time read, as in the stream and with its wraps counted.
    private var last: (raw: Int64, time: Int64)?

    private static let wrap: Int64 = 1 << 33
    private static let ticksPerSecond = 90_000.0

    /// Begins the next segment.
    mutating func beginSegment() {
        segments.append(SegmentContents())
    }

    /// Processes a packet in which a unit of a stream may start.
    mutating func process(_ packet: UnsafeRawBufferPointer, stream: Int) {
        let field = packet[3] & 0x20 == 0 ? 0 : 1 + Int(packet[4])
        let start = 4 + field
        guard packet[3] & 0x10 != 0, start + 14 <= packet.count, let current = segments.indices.last
        else { return }
        let header = UnsafeRawBufferPointer(rebasing: packet[start...])
        guard header[0] == 0, header[1] == 0, header[2] == 1, let kind = Self.kind(header[3]) else {
            return
        }
        let time = time(header)
        segments[current].tracks[stream, default: .init(kind)].add(from: time, to: time)
    }

    /// Returns what a stream holds by its identifier; nil for private data, such as subtitles.
    private static func kind(_ identifier: UInt8) -> MediaTrack.Kind? {
        switch identifier {
        case 0xe0...0xef: .video
        case 0xc0...0xdf: .audio
        default: nil
        }
    }

    /// Returns the presentation time in seconds; nil if the header has none.
    ///
    /// Times have 33 bits and wrap after a day, so that only differences are known.
    private mutating func time(_ header: UnsafeRawBufferPointer) -> Double? {
        guard header[7] & 0x80 != 0 else { return nil }
        let bits = (9..<14).map { Int64(header[$0]) }
        let raw =
            (bits[0] >> 1 & 0x7) << 30 | bits[1] << 22 | (bits[2] >> 1) << 15 | bits[3] << 7
            | bits[4] >> 1
        var time = raw
        if let last {
            var step = (raw - last.raw) % Self.wrap
            if step > Self.wrap / 2 { step -= Self.wrap }
            if step < -Self.wrap / 2 { step += Self.wrap }
            time = last.time + step
        }
        last = (raw, time)
        return Double(time) / Self.ticksPerSecond
    }
}
