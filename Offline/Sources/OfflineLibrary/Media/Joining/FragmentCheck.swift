// SPDX-License-Identifier: Apache-2.0

/// Finds the segments of MP4 fragments that cannot be decoded with their initialization section,
/// such as those of another encoding, which no box of them shows.
///
/// It decodes a few segments, and more only around one that cannot be decoded. If the first
/// segment cannot be decoded either, it finds nothing: the decoder may lack the format.
struct FragmentCheck {
    /// The path of the initialization section.
    let header: String
    /// The paths of the segments in order.
    let segments: [String]
    /// The contents of the segments.
    let contents: [SegmentContents]
    /// The numbers of the segments to decode first, in order.
    let samples: [Int]

    private typealias Kinds = Set<MediaTrack.Kind>

    private var decoder: FragmentDecoder { FragmentDecoder(header: header) }

    /// Returns the numbers of the segments that cannot be decoded, for each kind of tracks.
    ///
    /// - Throws: `.cancelled` or `.toolMissing`.
    func run() async throws(MediaError) -> [MediaTrack.Kind: [Int]] {
        guard samples.count > 1, try await !areReadable() else { return [:] }
        var known: [Int: Kinds] = [:]
        for number in samples { known[number] = try await unreadableKinds(number) }
        for (low, high) in zip(samples, samples.dropFirst()) {
            try await refine(low, high, &known)
        }
        let ignored = known[0] ?? []
        var result: [MediaTrack.Kind: [Int]] = [:]
        var current: Kinds = []
        for number in segments.indices {
            current = known[number] ?? current
            for kind in current.subtracting(ignored) { result[kind, default: []].append(number) }
        }
        return result
    }

    /// Returns whether the samples can be decoded together, as those of most streams can.
    private func areReadable() async throws(MediaError) -> Bool {
        let kinds = samples.reduce(into: Kinds()) { $0.formUnion(self.kinds(in: $1)) }
        let result = try await decoder.decode(samples.map { segments[$0] }, kinds)
        guard let result else { return true }
        let expected = samples.count { contents[$0].units(.video) > 0 }
        return !result.complains && result.frames[.video] ?? 0 >= expected
    }

    /// Tests segments between two of which one can be decoded, until they are neighbors.
    private func refine(
        _ low: Int,
        _ high: Int,
        _ known: inout [Int: Kinds]
    ) async throws(MediaError) {
        guard high - low > 1, known[low] != known[high] else { return }
        let middle = (low + high) / 2
        known[middle] = try await unreadableKinds(middle)
        try await refine(low, middle, &known)
        try await refine(middle, high, &known)
    }

    /// Returns the kinds of tracks that cannot be decoded in a segment.
    private func unreadableKinds(_ number: Int) async throws(MediaError) -> Kinds {
        var result: Kinds = []
        for kind in kinds(in: number) {
            if try await isUnreadable(number, kind) { result.insert(kind) }
        }
        return result
    }

    private func isUnreadable(
        _ number: Int,
        _ kind: MediaTrack.Kind
    ) async throws(MediaError) -> Bool {
        let segment = [segments[number]]
        guard let result = try await decoder.decode(segment, [kind]) else { return false }
        let frames = result.frames[kind] ?? 0
        if kind == .audio { return frames * 2 < contents[number].units(kind) }
        if frames > 0 || result.complains { return frames == 0 }
        // Without a key frame, a decoder of the right format still returns damaged pictures.
        let all = try await decoder.decode(segment, [kind], .allFrames)
        return all.map { $0.frames[kind] == 0 } ?? false
    }

    private func kinds(in number: Int) -> Kinds {
        Set([.video, .audio].filter { contents[number].units($0) > 0 })
    }
}
