// SPDX-License-Identifier: Apache-2.0
import OfflineModel

/// Counts the units of the tracks in a transport stream, and reads the times and formats of the
/// units.
struct TransportStreamReader {
    /// The contents of the segments so far.
    private(set) var segments: [SegmentContents] = []
    /// The last time read, both as in the stream and with the wraps counted.
    private var last: (raw: Int64, time: Int64)?
    private var table = PacketTable()
    /// The frames of the tracks with sound whose format shows frames.
    private var frames: [Int: AudioFrameReader] = [:]

    private static let wrap: Int64 = 1 << 33
    private static let ticksPerSecond = 90_000.0

    /// Starts the next segment.
    mutating func beginSegment() {
        segments.append(SegmentContents())
    }

    /// Processes a packet of a stream.
    mutating func process(_ packet: UnsafeRawBufferPointer, stream: Int) {
        let startsUnit = packet[1] & 0x40 != 0
        guard startsUnit || frames[stream] != nil else { return }
        let start = 4 + (packet[3] & 0x20 == 0 ? 0 : 1 + Int(packet[4]))
        guard packet[3] & 0x10 != 0, start < packet.count, let current = segments.indices.last
        else { return }
        let payload = UnsafeRawBufferPointer(rebasing: packet[start...])
        guard startsUnit else { return count(payload, of: stream, in: current) }
        if table.isTable(stream) { return table.read(payload, stream: stream) }
        guard payload.count >= 14, payload[0] == 0, payload[1] == 0, payload[2] == 1,
            let kind = Self.kind(payload[3])
        else { return }
        let time = time(payload, at: 9, isStated: payload[7] & 0x80 != 0)
        let hasDecodingTime = payload[7] & 0x40 != 0 && payload.count >= 19
        let decoded = hasDecodingTime ? self.time(payload, at: 14, isStated: true) : time
        segments[current].tracks[stream, default: .init(kind)].add(at: time, decodedAt: decoded)
        countFirst(payload, of: stream, in: current)
        let format = SegmentContents.Format(
            codec: table[stream],
            sampleRate: frames[stream]?.sampleRate
        )
        segments[current].tracks[stream]?.set(format)
    }

    /// Counts the frames of sound in a packet in which a unit starts.
    private mutating func countFirst(
        _ payload: UnsafeRawBufferPointer,
        of stream: Int,
        in segment: Int
    ) {
        guard let codec = table[stream],
            [PacketTable.Codec.aac, PacketTable.Codec.mpegAudio].contains(codec)
        else {
            frames[stream] = nil
            return
        }
        let begin = 9 + Int(payload[8])
        guard begin < payload.count else { return }
        let content = UnsafeRawBufferPointer(rebasing: payload[begin...])
        frames[stream, default: AudioFrameReader()].align(to: content)
        count(content, of: stream, in: segment)
    }

    private mutating func count(
        _ content: UnsafeRawBufferPointer,
        of stream: Int,
        in segment: Int
    ) {
        let before = frames[stream]?.seconds ?? 0
        frames[stream]?.read(content)
        let seconds = (frames[stream]?.seconds ?? 0) - before
        segments[segment].tracks[stream]?.add(frameSeconds: seconds)
    }

    /// Returns the kind of a stream by the identifier, or nil for private data such as subtitles.
    private static func kind(_ identifier: UInt8) -> MediaTrack.Kind? {
        switch identifier {
        case 0xe0...0xef: .video
        case 0xc0...0xdf: .audio
        default: nil
        }
    }

    /// Returns a time in seconds at a place of a unit's header, or nil if the header has no time.
    ///
    /// Times have 33 bits and wrap after a day, so that only differences are known.
    private mutating func time(
        _ header: UnsafeRawBufferPointer,
        at place: Int,
        isStated: Bool
    ) -> Double? {
        guard isStated else { return nil }
        let bits = (place..<place + 5).map { Int64(header[$0]) }
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
