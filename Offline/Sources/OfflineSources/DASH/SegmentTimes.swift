// SPDX-License-Identifier: Apache-2.0
import OfflineModel

/// The times and the numbers of the segments of a representation.
struct SegmentTimes {
    /// One segment, or the gap between two segments.
    struct Span: Hashable {
        var number: Int
        /// The time on the clock of the media, in the units of the representation.
        var time: Int
        var duration: Int
        var isGap = false
    }

    let information: SegmentInformation
    /// The duration of the period in seconds, or nil if the manifest does not state the duration.
    let periodDuration: Double?
    let isLastPeriod: Bool
    /// The largest number of segments.
    let limit: Int

    /// The error for more segments than a download may have.
    static let tooMany = PlaylistError(
        .tooLarge,
        "The manifest lists more segments than the limit of \(PlaylistLimits().segments)."
    )

    private static let overflow = PlaylistError.manifest("its times exceed every film")

    /// Returns the segments of a template, with gaps that last at least `leastGap` seconds.
    ///
    /// - Throws: `.invalid` if the durations are missing, and `.tooLarge`.
    func spans(leastGap: Double) throws(PlaylistError) -> [Span] {
        if let timeline = information.timeline { return try spans(timeline, leastGap) }
        guard let duration = information.duration else {
            throw .manifest("the segments have no duration")
        }
        let count: Int
        if let last = information.endNumber {
            count = last - information.startNumber + 1
        } else {
            guard let periodDuration else { throw .manifest("the stream has no duration") }
            let exact = periodDuration * Double(information.timescale) / Double(duration)
            guard exact < Double(limit) else { throw Self.tooMany }
            // The duration of the stream is rounded, by at most a thousandth of a segment.
            count = max(1, Int((exact - 0.001).rounded(.up)))
        }
        return try equal(duration, count)
    }

    /// Returns the times of segments that a list names.
    func listed(_ count: Int) throws(PlaylistError) -> [Span] {
        if let timeline = information.timeline {
            let spans = try spans(timeline, .infinity)
            guard spans.count >= count else { throw .manifest("a segment has no duration") }
            return spans
        }
        if let duration = information.duration { return try equal(duration, count) }
        guard count == 1, let units = units(of: periodDuration ?? 0), units > 0 else {
            throw .manifest("the segments have no duration")
        }
        return try equal(units, 1)
    }

    private func equal(_ duration: Int, _ count: Int) throws(PlaylistError) -> [Span] {
        guard count > 0 else { throw .manifest("a representation has no segments") }
        guard count <= limit else { throw Self.tooMany }
        let end = periodDuration.flatMap { units(of: $0) }
        var spans: [Span] = []
        var time = 0
        for index in 0..<count {
            var own = duration
            // The last segment ends with the period.
            if index == count - 1, let end, end > time { own = min(duration, end - time) }
            spans.append(Span(number: information.startNumber + index, time: time, duration: own))
            time = try Self.sum(time, duration)
        }
        return spans
    }

    private func spans(
        _ timeline: [SegmentInformation.TimelineEntry],
        _ leastGap: Double
    ) throws(PlaylistError) -> [Span] {
        var spans: [Span] = []
        var number = information.startNumber
        var time = timeline.first?.time ?? 0
        let start = information.timeOffset
        let end = try periodDuration.flatMap { units(of: $0) }
            .map { (units) throws(PlaylistError) in try Self.sum(start, units) }
        for (index, entry) in timeline.enumerated() {
            let entryTime = entry.time ?? time
            if !spans.isEmpty, entryTime > time,
                Double(entryTime - time) / Double(information.timescale) >= leastGap
            {
                spans.append(
                    Span(number: number, time: time, duration: entryTime - time, isGap: true)
                )
            }
            time = entryTime
            let next = index + 1 < timeline.count ? timeline[index + 1].time : end
            for _ in 0...(try repetitions(entry, at: time, until: next)) {
                let segmentEnd = try Self.sum(time, entry.duration)
                let isOutside = segmentEnd <= start && start > 0
                // The manifest rounds the end of the last period.
                let isAfter = !isLastPeriod && end.map { time >= $0 } == true
                if !isOutside, !isAfter {
                    spans.append(Span(number: number, time: time, duration: entry.duration))
                }
                number += 1
                guard number - information.startNumber <= limit else { throw Self.tooMany }
                time = segmentEnd
            }
        }
        return spans
    }

    private func repetitions(
        _ entry: SegmentInformation.TimelineEntry,
        at time: Int,
        until next: Int?
    ) throws(PlaylistError) -> Int {
        guard entry.repetitions < 0 else {
            guard entry.repetitions < limit else { throw Self.tooMany }
            return entry.repetitions
        }
        guard let next else { throw .manifest("a repetition of segments has no end") }
        let (rest, overflow) = next.subtractingReportingOverflow(time)
        guard !overflow, rest > 0 else { return 0 }
        let count = (rest - 1) / entry.duration
        guard count < limit else { throw Self.tooMany }
        return count
    }

    private func units(of seconds: Double) -> Int? {
        Int(exactly: (seconds * Double(information.timescale)).rounded())
    }

    private static func sum(_ left: Int, _ right: Int) throws(PlaylistError) -> Int {
        let (sum, overflow) = left.addingReportingOverflow(right)
        guard !overflow else { throw Self.overflow }
        return sum
    }
}
