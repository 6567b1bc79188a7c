// SPDX-License-Identifier: Apache-2.0
import OfflineMedia
import OfflineModel

extension SectionComparison {
    /// The number of units per segment below which a segment without units is not a surprise.
    private static let rareUnits = 3

    /// Returns the times at which the segments hold less than the playlist states, and the totals.
    func omissions() -> SectionOmissions {
        var result = SectionOmissions(leavesOutPictures: lacksTracks(.video))
        let stated = durations.compactMap { $0 }
        guard stated.count == durations.count else { return result }
        let main = joined.video == nil ? MediaTrack.Kind.audio : .video
        for kind in main == .video ? [.video, .audio] : [main] {
            if isCountable(kind), kind == main || isUsual(kind) {
                let held = held(kind, stated)
                let missing = missing(kind, stated: stated, held: held)
                result.times[kind] = ranges(of: missing, stated)
                result.totals[kind] = total(kind, stated: stated, held: held, without: Set(missing))
            } else if kind == main {
                result.times[kind] = missingAtEnd(stated.reduce(0, +))
            }
        }
        result.times = result.times.filter { !$0.value.isEmpty }
        return result
    }

    /// Returns whether at least half of the segments hold a kind of content.
    private func isUsual(_ kind: MediaTrack.Kind) -> Bool {
        contents.count { $0.units(kind) > 0 } * 2 >= contents.count
    }

    /// Returns whether every segment must have units of a kind.
    private func isCountable(_ kind: MediaTrack.Kind) -> Bool {
        guard contents.count == durations.count, !contents.isEmpty else { return false }
        let units = contents.reduce(0) { $0 + $1.units(kind) }
        if units >= Self.rareUnits * contents.count { return true }
        // A unit of sound may hold many frames.
        return kind == .audio
            && contents.contains { segment in
                segment.tracks.values.contains { $0.kind == kind && $0.frameSeconds != nil }
            }
    }

    /// Returns the seconds that each segment holds of its own part of the stream.
    private func held(_ kind: MediaTrack.Kind, _ stated: [Double]) -> [Double] {
        let detours = detours(kind, stated)
        return stated.indices.map { number in
            detours.contains(number)
                || repeatsTheOneBefore(number, of: kind, lasting: stated[number])
                ? 0 : covered(by: contents[number], kind, of: stated[number])
        }
    }

    /// Returns the seconds that a segment covers, or the whole duration if the units have no times.
    private func covered(
        by segment: SegmentContents,
        _ kind: MediaTrack.Kind,
        of duration: Double
    ) -> Double {
        let tracks = segment.tracks.values.filter { $0.kind == kind && $0.units > 0 }
        return tracks.map { $0.duration ?? duration }.max() ?? 0
    }

    /// Returns the numbers of the segments that hold much less than the playlist states.
    private func missing(
        _ kind: MediaTrack.Kind,
        stated: [Double],
        held: [Double]
    ) -> [Int] {
        var missing: [Int] = []
        for (number, duration) in stated.enumerated() {
            // A segment may hold sound of the neighboring segments.
            let others =
                kind == .video ? [] : [number - 1, number + 1].filter(held.indices.contains)
            let surplus = others.reduce(0) { $0 + max(held[$1] - stated[$1], 0) }
            let isEnd = number == stated.count - 1 && missing.last != number - 1
            let tolerance = tolerance(kind, duration, isEdge: number == 0 || isEnd)
            if duration - held[number] - surplus > tolerance { missing.append(number) }
        }
        return missing
    }

    /// Returns the seconds that a segment may lack.
    private func tolerance(
        _ kind: MediaTrack.Kind,
        _ duration: Double,
        isEdge: Bool
    ) -> Double {
        if kind == .video { return max(duration / 4, 0.3) }
        // The last unit of sound may hold many frames.
        guard joined.video != nil else { return max(duration / 2, 0.3) }
        // Beside pictures, sound may start later and end earlier.
        return max(duration / 2, isEdge ? 1 : 0.6)
    }

    /// Returns the times of the segments with these numbers.
    ///
    /// Neighboring segments share one time range.
    func ranges(of segments: [Int], _ stated: [Double]) -> [TimeRange] {
        var ranges: [TimeRange] = []
        var time = 0.0
        let segments = Set(segments)
        for (number, duration) in stated.enumerated() {
            time += gap(before: number) ?? 0
            if segments.contains(number) {
                let start = ranges.last?.upperBound == time ? ranges.removeLast().lowerBound : time
                ranges.append(start..<time + duration)
            }
            time += duration
        }
        return ranges
    }

    /// Compares the sums of all segments except the named segments.
    ///
    /// A playlist may round each duration to a second, but the times of the units do not.
    private func total(
        _ kind: MediaTrack.Kind,
        stated: [Double],
        held: [Double],
        without named: Set<Int>
    ) -> SectionOmissions.Total {
        var total = SectionOmissions.Total(stated: stated.reduce(0, +))
        let pause = longestPause(kind)
        var holes = 0.0
        var difference = 0.0
        for (number, duration) in stated.enumerated() where !named.contains(number) {
            // A jump of the times is not content.
            var held = min(held[number], 2 * duration + 1)
            if !named.contains(number + 1), let step = step(after: number, kind, duration) {
                let isPause = kind == .video && step > held && step - held <= pause
                held = isPause ? step : held
                holes += kind == .video ? max(step - held, 0) : step - held
            }
            total.held += held
            difference += duration - held - (duration == duration.rounded() ? 0.5 : 0)
        }
        total.lacking = max(holes, difference, 0)
        return total
    }

    /// Returns the seconds from the start of a segment to the start of the next segment.
    ///
    /// The result is nil unless a next segment exists and the times follow.
    private func step(
        after number: Int,
        _ kind: MediaTrack.Kind,
        _ duration: Double
    ) -> Double? {
        guard gap(before: number + 1) == nil, !discontinuities.contains(number + 1),
            let start = start(number, kind), let next = self.start(number + 1, kind)
        else { return nil }
        return next > start && next - start <= 2 * duration + 1 ? next - start : nil
    }

    /// Returns the longest usual time between two pictures.
    ///
    /// A variable rate makes this time long.
    private func longestPause(_ kind: MediaTrack.Kind) -> Double {
        let steps = contents.compactMap { segment in
            segment.tracks.values.filter { $0.kind == kind }.map(\.longestStep).max()
        }.sorted()
        return steps.isEmpty ? 0 : 1.5 * steps[steps.count / 2]
    }

    /// Compares only the total durations, because a playlist may round each single duration.
    private func missingAtEnd(_ stated: Double) -> [TimeRange] {
        guard let actual = joined.duration else { return [] }
        let rounded = durations.count { $0 == $0?.rounded() }
        let tolerance = max(1, stated / 20) + 0.5 * Double(rounded)
        return actual + tolerance < stated ? [actual..<stated] : []
    }
}
