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
        /// The file lacks the tracks that begin with the segment of this number.
        case tracksChange(before: Int)
    }

    /// The durations of the segments in seconds, as the playlist states them.
    let durations: [Double?]
    /// The contents of the segments; empty if their format does not tell them.
    let contents: [SegmentContents]
    /// The properties of the joined file.
    let joined: MediaProperties

    /// A demuxer may drop an incomplete frame at the start and at the end.
    private static let tolerance = 2
    /// The number of frames per segment below which a segment without frames is no surprise.
    private static let rareFrames = 3

    /// Returns the outcome.
    ///
    /// - Throws: `.incomplete` if the file lacks frames of the segments.
    func run() throws(MediaError) -> Outcome {
        for kind in [MediaTrack.Kind.video, .audio] {
            if let number = try changedTracks(kind) { return .tracksChange(before: number) }
        }
        return .whole(missing: missing(), leavesOutPictures: leavesOutPictures)
    }

    /// Returns the number of the first segment with tracks of a kind that are not in the file.
    private func changedTracks(_ kind: MediaTrack.Kind) throws(MediaError) -> Int? {
        let frames = joined.tracks.filter { $0.kind == kind }.map(\.frames)
        guard let first = contents.first, frames.allSatisfy({ $0 != nil }) else { return nil }
        let kept = frames.reduce(0) { $0 + ($1 ?? 0) }
        let units = contents.reduce(0) { $0 + $1.units(kind) }
        // A player, too, drops the pictures before the first one that it can decode.
        let undecodable = kind == .video && kept > 0 ? first.units(kind) : 0
        if kept + Self.tolerance + undecodable >= units { return nil }
        if let number = numberOfNewTrack(kind) { return number }
        let largest = largestTrack(kind)
        if kept > 0, kept + Self.tolerance + undecodable >= largest { return nil }
        // Each of the two fields of an interlaced picture may be a unit.
        if kind == .video, abs(kept * 2 - units) <= Self.tolerance { return nil }
        throw MediaError(
            .incomplete,
            "The stream could not be joined completely: \(kept) of \(units) "
                + "\(kind == .video ? "pictures" : "pieces of sound") were kept. Choose another "
                + "rendition, or report the address."
        )
    }

    /// Returns the number of the first segment with a track that no earlier segment has.
    private func numberOfNewTrack(_ kind: MediaTrack.Kind) -> Int? {
        var known: Set<Int> = []
        for (number, segment) in contents.enumerated() {
            let tracks = Set(segment.tracks.filter { $0.value.kind == kind }.keys)
            if number > 0, !tracks.isSubset(of: known) { return number }
            known.formUnion(tracks)
        }
        return nil
    }

    private var leavesOutPictures: Bool {
        let tracks = contents.flatMap { $0.tracks.filter { $0.value.kind == .video }.keys }
        return Set(tracks).count > joined.tracks.count { $0.kind == .video }
    }

    private func largestTrack(_ kind: MediaTrack.Kind) -> Int {
        var units: [Int: Int] = [:]
        for segment in contents {
            for (id, track) in segment.tracks where track.kind == kind {
                units[id, default: 0] += track.units
            }
        }
        return units.values.max() ?? 0
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
        for (duration, segment) in zip(stated, contents) {
            let shortfall = duration - covered(by: segment, kind, of: duration)
            if shortfall > max(duration * tolerated, 0.3) {
                let start = ranges.last?.upperBound == time ? ranges.removeLast().lowerBound : time
                ranges.append(start..<time + duration)
            }
            time += duration
        }
        return ranges
    }

    /// Returns how many seconds a segment covers; all of them if its units do not tell.
    private func covered(
        by segment: SegmentContents,
        _ kind: MediaTrack.Kind,
        of duration: Double
    ) -> Double {
        let tracks = segment.tracks.values.filter { $0.kind == kind && $0.units > 0 }
        return tracks.map { $0.duration ?? duration }.max() ?? 0
    }

    /// Compares only the total durations; a playlist may round each of its own.
    private func missingAtEnd(_ stated: Double) -> [TimeRange] {
        guard let actual = joined.duration else { return [] }
        let tolerance = max(1, stated / 20) + 0.5 * Double(durations.count)
        return actual + tolerance < stated ? [actual..<stated] : []
    }
}
