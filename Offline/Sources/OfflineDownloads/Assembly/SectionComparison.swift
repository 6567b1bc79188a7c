// SPDX-License-Identifier: Apache-2.0
import OfflineMedia
import OfflineModel
import Tidings

/// Compares a joined section with the contents of the segments and with the playlist.
struct SectionComparison {
    /// A time range in seconds, from the start of the section.
    typealias TimeRange = Range<Double>

    /// The outcome of a comparison.
    enum Outcome: Hashable {
        /// The file holds all contents of the segments. The segments may lack some of the stated
        /// contents.
        case whole(SectionOmissions)
        /// Tracks that the file lacks, or tracks in another format, start in the segments with
        /// these numbers.
        case tracksChange(before: [Int])
    }

    /// The durations of the segments in seconds, as the playlist states them.
    let durations: [Double?]
    /// The seconds before each segment that the server lacks.
    ///
    /// The array is empty without such gaps.
    var gaps: [Double] = []
    /// The numbers of the segments before which the playlist marks a break of the times.
    var discontinuities: Set<Int> = []
    /// The contents of the segments.
    ///
    /// The array is empty if the format does not show the contents.
    let contents: [SegmentContents]
    /// The properties of the joined file.
    let joined: MediaProperties

    /// Returns the outcome.
    ///
    /// - Throws: `.incomplete` if the file ends before the segments.
    func run() throws(MediaError) -> Outcome {
        let changes = Set(numbersOfNewTracks + numbersOfNewFormats).sorted()
        if !changes.isEmpty { return .tracksChange(before: changes) }
        for kind in [MediaTrack.Kind.video, .audio] { try requireAll(kind) }
        return .whole(omissions())
    }

    /// The numbers of the segments with a new track that the file may lack.
    ///
    /// A division before all of these segments leaves sections without further new tracks.
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

    /// The numbers of the segments in which a track has another format than before.
    private var numbersOfNewFormats: [Int] {
        var known: [Int: SegmentContents.Format] = [:]
        var numbers: [Int] = []
        for (number, segment) in contents.enumerated() {
            let formats = segment.tracks.compactMapValues(\.format)
            if formats.contains(where: { !(known[$0.key]?.continues(in: $0.value) ?? true) }) {
                numbers.append(number)
            }
            known.merge(formats) { $1 }
        }
        return numbers
    }

    func lacksTracks(_ kind: MediaTrack.Kind) -> Bool {
        let tracks = contents.flatMap { $0.tracks.filter { $0.value.kind == kind }.keys }
        return Set(tracks).count > joined.tracks.count { $0.kind == kind }
    }

    /// Throws `.incomplete` if a kind of tracks ends earlier in the file than in the segments.
    ///
    /// Units and frames are not comparable, because a unit may hold many frames or half of a frame.
    private func requireAll(_ kind: MediaTrack.Kind) throws(MediaError) {
        let held = zip(contents, durations).reduce(0) { $0 + leastDuration(of: $1.0, kind, $1.1) }
        // A player also drops the pictures before the first decodable picture.
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

    /// Returns a lower bound of the seconds that the units of a kind cover in a segment.
    private func leastDuration(
        of segment: SegmentContents,
        _ kind: MediaTrack.Kind,
        _ stated: Double?
    ) -> Double {
        let spans = segment.tracks.values.filter { $0.kind == kind }.map(\.span)
        // A jump of the times is not content.
        return min(spans.max() ?? 0, stated ?? .infinity)
    }

    /// Returns the seconds by which the times of a kind jump at the gaps before a segment.
    ///
    /// These seconds are part of the file's duration, but hold no content.
    private func jump(before number: Int, _ kind: MediaTrack.Kind) -> Double {
        guard let gap = gap(before: number) else { return 0 }
        let ends = contents[number - 1].tracks.values.filter { $0.kind == kind }
            .compactMap(\.lastUnit)
        let starts = contents[number].tracks.values.filter { $0.kind == kind }.compactMap(\.start)
        guard let end = ends.max(), let start = starts.min() else { return 0 }
        return min(max(start - end, 0), gap)
    }

    func gap(before number: Int) -> Double? {
        guard number > 0, gaps.indices.contains(number), gaps[number] > 0 else { return nil }
        return gaps[number]
    }

    func start(_ number: Int, _ kind: MediaTrack.Kind) -> Double? {
        guard contents.indices.contains(number) else { return nil }
        return contents[number].tracks.values.filter { $0.kind == kind }.compactMap(\.start).min()
    }
}
