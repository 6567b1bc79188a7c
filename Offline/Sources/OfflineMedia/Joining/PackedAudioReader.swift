// SPDX-License-Identifier: Apache-2.0
import OfflineModel

/// Counts the frames of segments that consist of sound alone, without a container.
struct PackedAudioReader {
    /// The contents of the segments so far.
    private(set) var segments: [SegmentContents] = []
    private var frames = AudioFrameReader()

    /// Starts the next segment.
    mutating func beginSegment() {
        var contents = SegmentContents()
        contents.tracks[0] = .init(.audio)
        segments.append(contents)
        frames = AudioFrameReader()
    }

    /// Reads the next bytes of the segment.
    mutating func read(_ bytes: [UInt8]) {
        guard let current = segments.indices.last else { return }
        let before = frames
        bytes.withUnsafeBytes { frames.read($0) }
        guard frames.count > before.count else { return }
        segments[current].tracks[0]?.add(frames.count - before.count, from: nil, to: nil)
        segments[current].tracks[0]?.add(frameSeconds: frames.seconds - before.seconds)
        segments[current].tracks[0]?.set(.init(codec: nil, sampleRate: frames.sampleRate))
    }
}
