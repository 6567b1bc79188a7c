// SPDX-License-Identifier: Apache-2.0

/// Reads files in order and applies a filter.
struct SegmentSource {
    private let paths: [String]
    private var packets: TransportStreamFilter?
    private var frames: PackedAudioReader?
    private var next = 0
    private var file: OwnedDescriptor?

    init(_ paths: [String], filter: SegmentFilter) {
        self.paths = paths
        switch filter {
        case .none:
            break
        case .packedAudio:
            frames = PackedAudioReader()
        case .transportStream(let check):
            packets = TransportStreamFilter(check: check)
        }
    }

    /// The contents of the segments so far, or an empty array if the filter reads no contents.
    var contents: [SegmentContents] { packets?.contents ?? frames?.segments ?? [] }

    /// The damage between the segments so far, as far as the filter looks for damage.
    var damage: MediaError? { packets?.damage }

    /// Replaces the buffer's content with the next bytes, at most `length` and from one file.
    ///
    /// The buffer is empty after the last file.
    mutating func fill(_ buffer: inout [UInt8], length: Int) throws(MediaError) {
        while true {
            if file == nil {
                guard next < paths.count else {
                    buffer = []
                    try packets?.finish()
                    return
                }
                file = try OwnedDescriptor.reading(paths[next])
                packets?.begin(segment: next)
                next += 1
                if frames != nil { try skipTags() }
                frames?.beginSegment()
            }
            let path = paths[next - 1]
            let count = try read(path, into: &buffer, length: length)
            if count > 0 {
                try packets?.process(&buffer)
                frames?.read(buffer)
                return
            }
            file = nil
        }
    }

    private func read(
        _ path: String,
        into buffer: inout [UInt8],
        length: Int
    ) throws(MediaError) -> Int {
        if buffer.count < length { buffer = [UInt8](repeating: 0, count: length) }
        let count = try file?.read(into: &buffer, path: path) ?? 0
        buffer.removeLast(buffer.count - count)
        return count
    }

    /// Skips the tags at the start of the file, which hold a timestamp and no audio.
    private func skipTags() throws(MediaError) {
        guard let file else { return }
        var start = 0
        while true {
            file.seek(to: start)
            let header = try file.bytes(ID3Tag.headerLength, path: paths[next - 1])
            guard let length = ID3Tag.length(header) else { break }
            start += length
        }
        file.seek(to: start)
    }
}
