// SPDX-License-Identifier: Apache-2.0
import Tidings

/// Compares a joined section with the contents of its segments and with its playlist.
struct SectionComparison {
    /// A time range in seconds, from the start of the section.
    typealias TimeRange = Range<Double>

    /// The outcome of a comparison.
    enum Outcome: Hashable {
        /// The file holds all that the segments hold.
        ///
        /// Something is missing in them at these times. `leavesOutPictures` is true for a second
        /// track with pictures, of which a file has one.
        case whole(missing: [TimeRange], leavesOutPictures: Bool)
        /// The file lacks the tracks that begin with the segments of these numbers.
        case tracksChange(before: [Int])
    }

    /// The durations of the segments in seconds, as the playlist states them.
    let durations: [Double?]
    /// The seconds before each segment that the server lacks; empty without any.
    var gaps: [Double] = []
    /// The contents of the segments; empty if their format does not show them.
    let contents: [SegmentContents]
    /// The properties of the joined file.
    let joined: MediaProperties

    /// The number of frames per segment below which a segment without frames is no surprise.
    private static let rareFrames = 3

    /// Returns the outcome.
    ///
    /// - Throws: `.incomplete` if the file ends before the segments.
    func run() throws(MediaError) -> Outcome {
        let changes = numbersOfNewTracks
        if !changes.isEmpty { return .tracksChange(before: changes) }
        for kind in [MediaTrack.Kind.video, .audio] { try requireAll(kind) }
        return .whole(missing: missing(), leavesOutPictures: lacksTracks(.video))
    }

    /// The numbers of the segments with a track that is new, and that the file may lack.
    ///
    /// A division before all of them leaves sections without another one.
    private var numbersOfNewTracks: [Int] {
        let kinds = [MediaTrack.Kind.video, .audio].filter(lacksTracks)
        var known: Set<Int> = []
        var numbers: [Int] = []
        for (number, segment) in contents.enumerated() {
            let tracks = Set(segment.tracks.filter { kinds.contains($0.value.kind) }.keys)
            if number > 0, !tracks.isSubset(of: known) {
                numbers.append(number)
                known = tracks
            } else {
                known.formUnion(tracks)
            }
        }
        return numbers
    }

    private func lacksTracks(_ kind: MediaTrack.Kind) -> Bool {
        let tracks = contents.flatMap { $0.tracks.filter { $0.value.kind == kind }.keys }
        return Set(tracks).count > joined.tracks.count { $0.kind == kind }
    }

    /// Throws `.incomplete` if a kind of tracks ends in the file before it ends in the segments.
    ///
    /// Units and frames are not comparable, because a unit may hold many frames, or half of one.
    private func requireAll(_ kind: MediaTrack.Kind) throws(MediaError) {
        let held = zip(contents, durations).reduce(0) { $0 + leastDuration($1.0, kind, $1.1) }
        // A player, too, drops the pictures before the first one that it can decode.
        let kept = joined.tracks.filter { $0.kind == kind }.map { track in
            (track.duration ?? .infinity) + max(0, (track.start ?? 0) - joined.start)
        }
        let jumps = contents.indices.dropFirst().reduce(0) { $0 + jump(before: $1, kind) }
        guard held > (kept.max() ?? 0) - jumps + 1 + held / 50 else { return }
        throw MediaError(
            .incomplete,
            "The stream could not be joined completely: "
                + "\(kind == .video ? "pictures" : "sound") for \(PlayTime.text(kept.max() ?? 0)) "
                + "of \(PlayTime.text(held)) were kept. Choose another quality, or report the "
                + "address."
        )
    }

    /// Returns the seconds that the units of a kind in a segment cover at least.
    private func leastDuration(
        _ segment: SegmentContents,
        _ kind: MediaTrack.Kind,
        _ stated: Double?
    ) -> Double {
        let spans = segment.tracks.values.filter { $0.kind == kind }.map(\.span)
        // A jump of the times is no content.
        return min(spans.max() ?? 0, stated ?? .infinity)
    }

    /// Returns the seconds by which the times of a kind jump at the gaps before a segment.
    ///
    /// They are part of the file's duration, but hold nothing.
    private func jump(before number: Int, _ kind: MediaTrack.Kind) -> Double {
        guard let gap = gap(before: number) else { return 0 }
        let ends = contents[number - 1].tracks.values.filter { $0.kind == kind }
            .compactMap(\.lastUnit)
        let starts = contents[number].tracks.values.filter { $0.kind == kind }.compactMap(\.start)
        guard let end = ends.max(), let start = starts.min() else { return 0 }
        return min(max(start - end, 0), gap)
    }

    private func gap(before number: Int) -> Double? {
        guard number > 0, gaps.indices.contains(number), gaps[number] > 0 else { return nil }
        return gaps[number]
    }

    /// Returns the times at which the segments hold less than the playlist states.
    private func missing() -> [TimeRange] {
        let stated = durations.compactMap { $0 }
        guard stated.count == durations.count else { return [] }
        let kind = joined.video == nil ? MediaTrack.Kind.audio : .video
        guard contents.count == durations.count,
            contents.reduce(0, { $0 + $1.units(kind) }) >= Self.rareFrames * contents.count
        else { return missingAtEnd(stated.reduce(0, +)) }
        // The last unit of sound may hold many frames.
        let tolerated = kind == .video ? 0.25 : 0.5
        var ranges: [TimeRange] = []
        var time = 0.0
        for (number, (duration, segment)) in zip(stated, contents).enumerated() {
            time += gap(before: number) ?? 0
            let isRepeated = repeatsTheOneBefore(number, kind, duration)
            let held = isRepeated ? 0 : covered(by: segment, kind, of: duration)
            let shortfall = duration - held
            if shortfall > max(duration * tolerated, 0.3) {
                let start = ranges.last?.upperBound == time ? ranges.removeLast().lowerBound : time
                ranges.append(start..<time + duration)
            }
            time += duration
        }
        return ranges
    }

    /// Returns how many seconds a segment covers; all of them if its units have no times.
    private func covered(
        by segment: SegmentContents,
        _ kind: MediaTrack.Kind,
        of duration: Double
    ) -> Double {
        let tracks = segment.tracks.values.filter { $0.kind == kind && $0.units > 0 }
        return tracks.map { $0.duration ?? duration }.max() ?? 0
    }

    /// Returns whether the server sent the segment before in place of a segment.
    ///
    /// Its times are those of the segment before, while the times of the others go on around it.
    private func repeatsTheOneBefore(
        _ number: Int,
        _ kind: MediaTrack.Kind,
        _ duration: Double
    ) -> Bool {
        guard let start = self.start(number, kind), let before = self.start(number - 1, kind),
            abs(start - before) < 0.001
        else { return false }
        if let next = self.start(number + 1, kind) { return next - start > 1.5 * duration }
        return self.start(number - 2, kind).map { $0 < before } ?? false
    }

    private func start(_ number: Int, _ kind: MediaTrack.Kind) -> Double? {
        guard contents.indices.contains(number) else { return nil }
        return contents[number].tracks.values.filter { $0.kind == kind }.compactMap(\.start).min()
    }

    /// Compares only the total durations; a playlist may round each of its own.
    private func missingAtEnd(_ stated: Double) -> [TimeRange] {
        guard let actual = joined.duration else { return [] }
        let tolerance = max(1, stated / 20) + 0.5 * Double(durations.count)
        return actual + tolerance < stated ? [actual..<stated] : []
    }
}
