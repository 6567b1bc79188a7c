// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineMedia
import OfflineModel
import OfflineSources
import Tidings

/// Joins the segments of each section of a stream, and compares the files with the playlist.
struct SectionMuxer {
    let environment: DownloadEnvironment
    let id: ItemID
    let parts: [PartRecord]
    let tracks: [TrackDescription]
    /// Whether the parts belong to a recording, whose tracks may lack different segments.
    var isRecording = false
    /// Whether the parts cover a part of the stream.
    ///
    /// Some tracks may then have longer segments.
    var isPart = false

    private var folder: String { environment.directory.sections(of: id) }

    /// The file of one track in one section.
    private struct File {
        var path: String
        var properties: MediaProperties
        var outcome: SectionComparison.Outcome
        /// The time of the first segment, in seconds on the clock that all tracks share, or nil if
        /// the time is unknown.
        var start: Double?

        var omissions: SectionOmissions {
            guard case .whole(let omissions) = outcome else { return SectionOmissions() }
            return omissions
        }
    }

    /// Joins the sections of all tracks.
    ///
    /// - Throws: `.notMedia` without segments, `.formatChanges` if the sections of the tracks do
    ///   not correspond, and `.incomplete` if a section ends early.
    func join(_ sections: [[StreamSection]]) async throws -> JoinedStream {
        guard !sections.isEmpty, sections.allSatisfy({ !$0.isEmpty }) else {
            throw MediaError(.notMedia, "The stream has no segments. Try again later.")
        }
        if sections.count == 1 { return try await join(sections[0]) }
        try requireCorrespondence(sections)
        var joined = JoinedStream()
        var lengths = TrackLengths(tracks, isRecording: isRecording, isPart: isPart)
        var fed: Int64 = 0
        for number in sections[0].indices {
            var files: [File] = []
            for (track, all) in sections.enumerated() {
                let path = "\(folder)/\(number)-\(track).mp4"
                let file = try await mux(
                    all[number],
                    into: path,
                    .end,
                    keepsTimes: true,
                    after: fed
                )
                guard case .whole = file.outcome else { throw Self.separateBreaks }
                files.append(file)
                fed += size(of: all[number])
            }
            lengths.add(
                files.map(\.properties),
                stated: sections.map { statedDuration(of: $0[number].segments) }
            )
            let index = sections[0].count == 1 ? Muxer.IndexPlace.start : .end
            let section = try await combine(
                files,
                number: number,
                after: joined.sections.last,
                index
            )
            joined.sections.append(section)
            joined.starts.append(section.start + section.pictureDelay)
        }
        joined.notes = try lengths.notes()
        return joined
    }

    /// Joins the sections of the only track.
    ///
    /// A section with a change of tracks becomes several sections.
    private func join(_ sections: [StreamSection]) async throws -> JoinedStream {
        var waiting = sections.map { (section: $0, isDivided: false) }[...]
        var starts: [Double] = []
        var joined: [JoinedSection] = []
        var fed: Int64 = 0
        // The index of a lone section is already in the right place for the finished file.
        var index = sections.count == 1 ? Muxer.IndexPlace.start : .end
        while let (section, isDivided) = waiting.popFirst() {
            let path = "\(folder)/\(joined.count).mp4"
            let file = try await mux(section, into: path, index, keepsTimes: false, after: fed)
            switch file.outcome {
            case .tracksChange(let numbers):
                let pieces = section.divided(before: numbers).enumerated().map { number, piece in
                    (section: piece, isDivided: isDivided || number > 0)
                }
                waiting = pieces + waiting
                index = .end
            case .whole:
                fed += size(of: section)
                joined.append(self.section(file, joined.count, after: joined.last))
                if !isDivided { starts.append(joined.last?.start ?? 0) }
            }
        }
        if let whole = try await joinWhole(sections, instead: joined) { joined = [whole] }
        return JoinedStream(sections: joined, starts: starts)
    }

    /// Joins all sections together if a section lacks a track of another section, such as the
    /// sound.
    ///
    /// A file cannot pause a track between joined sections, but can pause a track within one
    /// section.
    ///
    /// - Returns: Nil if the sections have the same tracks or cannot be joined together.
    private func joinWhole(
        _ sections: [StreamSection],
        instead joined: [JoinedSection]
    ) async throws -> JoinedSection? {
        let counts = joined.map { $0.properties.tracks.map(\.kind) }
        guard Set(counts).count > 1, Set(sections.map(\.header)) == [nil] else { return nil }
        let all = StreamSection(
            header: nil,
            segments: sections.flatMap(\.segments),
            gaps: sections.flatMap(\.gaps)
        )
        let path = "\(folder)/whole.mp4"
        do {
            let file = try await mux(
                all,
                into: path,
                .start,
                keepsTimes: false,
                after: 0,
                breaks: Set(sections.compactMap(\.segments.first))
            )
            guard case .whole = file.outcome else { return nil }
            return section(file, 0, after: nil)
        } catch let error as MediaError where error.code != .cancelled && error.code != .noSpace {
            return nil
        }
    }

    /// Throws `.formatChanges` unless the sections of all tracks have the same durations.
    ///
    /// A track may end before the other tracks. A track of a part may also start before the other
    /// tracks.
    private func requireCorrespondence(_ sections: [[StreamSection]]) throws(MediaError) {
        let pictures = sections[0].map(duration)
        for track in sections.dropFirst() {
            let others = track.map(duration)
            let areEqual =
                pictures.count == others.count
                && (isRecording
                    || zip(pictures, others).dropFirst(isPart ? 1 : 0).dropLast()
                        .allSatisfy { abs($0 - $1) <= max(1, $0 / 20) })
            guard areEqual else { throw Self.separateBreaks }
        }
    }

    func duration(_ section: StreamSection) -> Double {
        statedDuration(of: section.segments + section.gaps)
    }

    private func statedDuration(of numbers: [Int]) -> Double {
        numbers.reduce(0) { $0 + (parts[$1].part.duration ?? 0) }
    }

    /// Returns the seconds before each segment that the server lacks.
    private func gaps(in section: StreamSection) -> [Double] {
        section.gapsBeforeSegments.map { gaps in
            gaps.reduce(0) { $0 + (parts[$1].part.duration ?? 0) }
        }
    }

    /// Combines the files of all tracks in one section.
    private func combine(
        _ files: [File],
        number: Int,
        after last: JoinedSection?,
        _ index: Muxer.IndexPlace
    ) async throws -> JoinedSection {
        let path = "\(folder)/\(number).mp4"
        let starts = files.map { TrackClock.delay(of: $0.start, after: files[0].start) }
        let inputs = files.enumerated().map { track, file in
            TrackCombiner.Input(
                path: file.path,
                delay: isPart ? max(0, starts[track]) : starts[track] - (starts.min() ?? 0),
                cut: isPart ? cut(file, after: starts[track], to: files[0]) : nil,
                description: tracks.indices.contains(track) ? tracks[track] : TrackDescription(),
                soundCount: file.properties.tracks.count { $0.kind == .audio },
                number: track
            )
        }
        try await TrackCombiner().combine(inputs, into: path, index: index)
        for file in files { unlink(file.path) }
        var file = files[0]
        file.path = path
        file.properties = try await MediaProbe().probe(path)
        let expected = zip(inputs, files).flatMap { input, file in
            file.properties.tracks.filter { track in
                input.description.content != (track.kind == .audio ? .pictures : .sound)
            }
        }
        let isWhole = zip(file.properties.tracks, expected).allSatisfy { track, expected in
            track.frames == expected.frames
                || isPart && track.kind == .audio && track.frames ?? 0 > 0
        }
        guard isWhole, file.properties.tracks.count == expected.count else {
            throw MediaError(
                .incomplete,
                "The tracks of the stream could not be joined completely. Choose another quality, "
                    + "or report the address."
            )
        }
        var section = self.section(file, number, after: last)
        section.pictureDelay = inputs[0].delay
        for (track, file) in files.enumerated().dropFirst() {
            section.omissions.add(omissions(of: file, track))
        }
        return section
    }

    /// Returns the seconds of a file that play with the pictures, or nil if all seconds do.
    private func cut(_ file: File, after start: Double, to pictures: File) -> Range<Double>? {
        guard let length = pictures.properties.video?.duration, let own = file.properties.duration,
            start < 0 || start + own > length
        else { return nil }
        let first = max(0, -start)
        return first..<max(first, length - start)
    }

    /// Returns the omissions of a file, limited to the content that the film keeps from the track.
    private func omissions(of file: File, _ track: Int) -> SectionOmissions {
        switch tracks.indices.contains(track) ? tracks[track].content : .everything {
        case .pictures: file.omissions.only(.video)
        case .sound, .subtitles: file.omissions.only(.audio)
        case .everything: file.omissions
        }
    }

    private func section(
        _ file: File,
        _ number: Int,
        after last: JoinedSection?
    ) -> JoinedSection {
        JoinedSection(
            name: "\(number).mp4",
            path: file.path,
            start: last.map { $0.start + ($0.properties.duration ?? 0) } ?? 0,
            properties: file.properties,
            omissions: omissions(of: file, 0)
        )
    }

    private func size(of section: StreamSection) -> Int64 {
        section.parts.reduce(0) { $0 + (parts[$1].size ?? 0) }
    }

    private func mux(
        _ section: StreamSection,
        into path: String,
        _ index: Muxer.IndexPlace,
        keepsTimes: Bool,
        after fed: Int64,
        breaks: Set<Int> = []
    ) async throws -> File {
        let paths = section.parts.map { environment.directory.part(parts[$0].fileName, of: id) }
        let total = parts.reduce(0) { $0 + ($1.size ?? 0) }
        let first = try Self.beginning(of: paths)
        let gaps = gaps(in: section)
        let contents = try await Muxer().mux(
            segments: paths,
            kind: first.container,
            into: path,
            completeness: section.parts.allSatisfy { parts[$0].isProven } ? .proven : .unproven,
            index: index,
            keepsTimes: keepsTimes,
            longestJump: gaps.max() ?? 0
        ) { [environment, id] bytes, _ in
            environment.reachCheckpoint(.duringMux)
            environment.progress.update(id) { progress in
                let fraction = Double(fed + bytes) / Double(max(total, 1))
                // The muxer reads a divided section twice.
                progress.muxedFraction = min(1, max(progress.muxedFraction ?? 0, fraction))
            }
        }
        var properties = try await MediaProbe().probe(path)
        let start = properties.start
        if keepsTimes { properties.duration = properties.duration.map { $0 - start } }
        let comparison = SectionComparison(
            durations: section.segments.map { parts[$0].part.duration },
            gaps: gaps,
            discontinuities: Set(
                section.segments.indices.filter {
                    breaks.contains(section.segments[$0])
                }
            ),
            contents: Array(contents.suffix(section.segments.count)),
            joined: properties
        )
        return File(
            path: path,
            properties: properties,
            outcome: try await addUnreadable(of: section, comparison, to: comparison.run()),
            start: first.container.isPacked ? first.startTime : start
        )
    }

    /// Returns the time at which the media of a section starts, or nil if the format has no times.
    func startTime(of section: StreamSection) async throws -> Double? {
        let paths = section.parts.map { environment.directory.part(parts[$0].fileName, of: id) }
        let first = try Self.beginning(of: paths)
        guard !first.container.isPacked else { return first.startTime }
        let path = "\(folder)/start.mp4"
        defer { unlink(path) }
        try await Muxer().mux(
            segments: paths,
            kind: first.container,
            into: path,
            completeness: .proven,
            index: .end,
            keepsTimes: true
        )
        return try await MediaProbe().probe(path).start
    }

    private static let separateBreaks = MediaError(
        .formatChanges,
        "The pictures and the sound of the stream change at different times, which one file cannot "
            + "hold. Choose another quality, or use another address of the content."
    )

    /// Returns the container of all parts, as detected in the first part, and the time in that
    /// part's tag.
    private static func beginning(
        of paths: [String]
    ) throws -> (container: Muxer.SegmentContainer, startTime: Double?) {
        guard let first = paths.first, let handle = FileHandle(forReadingAtPath: first),
            let prefix = try handle.read(upToCount: 64 << 10),
            let container = Muxer.SegmentContainer(
                ContentSniffer.kind(of: Array(prefix.prefix(1_024)), contentType: nil)
            )
        else {
            throw DownloadError(
                .notMedia,
                "The first segment of the stream is in no supported media format."
            )
        }
        return (container, ID3Tag.startTime(prefix))
    }
}
