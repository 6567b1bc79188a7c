// SPDX-License-Identifier: Apache-2.0
import OfflineModel

/// Reads the units of each track from the headers of MP4 fragments.
///
/// The reader reads no media and never fails. In bytes of an unknown format, the reader finds
/// nothing.
struct FragmentReader {
    private struct Track {
        var kind: MediaTrack.Kind?
        var timescale = 0.0
        var defaultDuration = 0
    }

    /// The largest header to read.
    ///
    /// The header of a fragment has a few bytes per frame.
    private static let headerLimit = 16 << 20
    /// The number of boxes to look at in one segment.
    private static let boxLimit = 200_000

    private var tracks: [Int: Track] = [:]

    /// Returns the contents of the segment at a path, or of an initialization section.
    mutating func read(_ path: String) -> SegmentContents {
        var contents = SegmentContents()
        guard let file = try? OwnedDescriptor.reading(path), let length = try? file.length(path)
        else { return contents }
        var position: Int64 = 0
        for _ in 0..<Self.boxLimit where position + 8 <= length {
            file.seek(to: Int(position))
            guard let bytes = try? file.bytes(16, path: path), let box = MP4Box(bytes[...]) else {
                return contents
            }
            let size = box.size == 0 ? Int(length - position) : box.size
            guard size >= box.headerLength, Int64(size) <= length - position else {
                return contents
            }
            if box.type == "moov" || box.type == "moof", size <= Self.headerLimit {
                file.seek(to: Int(position) + box.headerLength)
                guard let header = try? file.bytes(size - box.headerLength, path: path) else {
                    return contents
                }
                box.type == "moov" ? readMovie(header[...]) : readFragment(header[...], &contents)
            }
            position += Int64(size)
        }
        return contents
    }

    private mutating func readMovie(_ bytes: ArraySlice<UInt8>) {
        for (type, content) in MP4Box.boxes(in: bytes) {
            if type == "trak" { readTrack(content) }
            guard type == "mvex" else { continue }
            for (type, content) in MP4Box.boxes(in: content) where type == "trex" {
                var fields = MP4Fields(content)
                fields.skip(4)
                guard let id = fields.int32() else { continue }
                fields.skip(4)
                tracks[id, default: Track()].defaultDuration = fields.int32() ?? 0
            }
        }
    }

    private mutating func readTrack(_ bytes: ArraySlice<UInt8>) {
        var id: Int?
        var track = Track()
        for (type, content) in MP4Box.boxes(in: bytes) {
            var fields = MP4Fields(content)
            if type == "tkhd" {
                fields.skip(content.first == 1 ? 20 : 12)
                id = fields.int32()
            }
            guard type == "mdia" else { continue }
            for (type, content) in MP4Box.boxes(in: content) {
                var fields = MP4Fields(content)
                if type == "mdhd" {
                    fields.skip(content.first == 1 ? 20 : 12)
                    track.timescale = Double(fields.int32() ?? 0)
                } else if type == "hdlr" {
                    fields.skip(8)
                    track.kind = fields.type().flatMap { ["vide": .video, "soun": .audio][$0] }
                }
            }
        }
        if let id { tracks[id] = track }
    }

    private func readFragment(_ bytes: ArraySlice<UInt8>, _ contents: inout SegmentContents) {
        for (type, content) in MP4Box.boxes(in: bytes) where type == "traf" {
            readTrackFragment(content, &contents)
        }
    }

    private func readTrackFragment(
        _ bytes: ArraySlice<UInt8>,
        _ contents: inout SegmentContents
    ) {
        var id = 0
        var defaultDuration = 0
        var time: Int?
        for (type, content) in MP4Box.boxes(in: bytes) {
            var fields = MP4Fields(content)
            switch type {
            case "tfhd":
                let flags = fields.int32() ?? 0
                id = fields.int32() ?? 0
                fields.skip((flags & 0x1 == 0 ? 0 : 8) + (flags & 0x2 == 0 ? 0 : 4))
                let own = flags & 0x8 == 0 ? nil : fields.int32()
                defaultDuration = own ?? tracks[id]?.defaultDuration ?? 0
            case "tfdt":
                fields.skip(4)
                time = content.first == 1 ? fields.int64() : fields.int32()
            case "trun":
                guard let track = tracks[id], let kind = track.kind, track.timescale > 0,
                    let (count, last, duration) = Self.run(&fields, defaultDuration)
                else { continue }
                let start = time.map { Double($0) / track.timescale }
                let end = time.map { Double($0 &+ last) / track.timescale }
                contents.tracks[id, default: .init(kind)].add(count, from: start, to: end)
                contents.tracks[id]?.add(frameSeconds: Double(duration) / track.timescale)
                time = time.map { $0 &+ duration }
            default:
                break
            }
        }
    }

    /// Returns the number of units in a run, the start of the last unit, and the duration of the
    /// run.
    private static func run(
        _ fields: inout MP4Fields,
        _ defaultDuration: Int
    ) -> (count: Int, last: Int, duration: Int)? {
        guard let flags = fields.int32(), let count = fields.int32(), count > 0 else { return nil }
        fields.skip((flags & 0x1 == 0 ? 0 : 4) + (flags & 0x4 == 0 ? 0 : 4))
        guard flags & 0x100 != 0 else {
            return (count, (count - 1) &* defaultDuration, count &* defaultDuration)
        }
        let others = [0x200, 0x400, 0x800].reduce(0) { $0 + (flags & $1 == 0 ? 0 : 4) }
        var last = 0
        var total = 0
        for _ in 0..<count {
            guard let duration = fields.int32() else { return nil }
            fields.skip(others)
            last = total
            total &+= duration
        }
        return (count, last, total)
    }
}
