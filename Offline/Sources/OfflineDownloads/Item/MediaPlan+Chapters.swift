// SPDX-License-Identifier: Apache-2.0
package import OfflineModel
package import OfflineSources

extension MediaPlan {
    /// The seconds by which the stated durations of segments may be wrong.
    private static let tolerance = 0.05

    /// Returns the plan of a part of the film, which has the segments that cover the part.
    ///
    /// - Parameters:
    ///   - range: The part.
    ///   - stated: The chapters that the page states. Chapters of the source take precedence.
    /// - Returns: The plan, whose chapters are in the times of the part.
    /// - Throws: `.refused` if the film has no such part, or if the part cannot be fetched alone.
    package func part(_ range: ChapterRange, stated: [Chapter]) throws(DownloadError) -> MediaPlan {
        guard !tracks.map(\.description).areTextsAlone else {
            throw DownloadError.partOfTexts
        }
        guard tracks[0].segmentCount > 1, tracks.allSatisfy(\.hasDurations) else {
            throw DownloadError(
                .refused,
                "The stream does not list short segments with their durations, so no part of it "
                    + "can be fetched alone. Leave out --chapters."
            )
        }
        let known = chapters.isEmpty ? stated : chapters
        let duration = tracks[0].duration
        let wanted = try range.seconds(of: known, in: duration)
        let kept = tracks[0].cut(to: wanted, Self.tolerance)
        var plan = self
        plan.tracks = tracks.map { track in track.cut(to: kept.seconds, Self.tolerance).track }
        plan.tracks[0] = kept.track
        plan.chapters = known.inside(kept.seconds)
        plan.notes = notes.filter { !$0.contains(GapNote.Cause.server.rawValue) }
        for track in plan.tracks {
            plan.notes += GapNote.text(GapNote.gaps(in: track.parts), track.description.content)
        }
        plan.notes.append(ChapterRange.note(kept.seconds, of: duration))
        return plan
    }
}

extension Track {
    fileprivate var segmentCount: Int { parts.count { !$0.isInitialization } }

    fileprivate var hasDurations: Bool {
        parts.allSatisfy { $0.isInitialization || $0.duration != nil }
    }

    fileprivate var duration: Double { parts.reduce(0) { $0 + ($1.duration ?? 0) } }

    /// Returns the track with the segments that overlap a time range, and the time that these
    /// segments cover.
    fileprivate func cut(
        to wanted: Range<Double>,
        _ tolerance: Double
    ) -> (track: Track, seconds: Range<Double>) {
        var result = self
        result.parts = []
        var header: Part?
        var (time, start, last) = (0.0, wanted.lowerBound, wanted.upperBound)
        for part in parts {
            if part.isInitialization {
                header = part
                continue
            }
            let end = time + (part.duration ?? 0)
            defer { time = end }
            guard time < wanted.upperBound - tolerance, end > wanted.lowerBound + tolerance
            else { continue }
            if result.parts.isEmpty { start = time }
            if let header { result.parts.append(header) }
            header = nil
            result.parts.append(part)
            last = end
        }
        return (result, start..<max(start, last))
    }
}
