// SPDX-License-Identifier: Apache-2.0
import OfflineMedia
import OfflineModel
import Tidings

extension SectionMuxer {
    /// Compares the times in the segments with the times in the joined file, for subtitles.
    ///
    /// - Parameters:
    ///   - sections: The sections of each track. The sections of the pictures come first.
    ///   - stream: The joined sections.
    ///   - tracks: The descriptions of the tracks.
    /// - Returns: The clock of the pictures, without sections if the stream has no subtitles.
    /// - Throws: `MediaError` after a cancellation or on a full disk.
    func clock(
        of sections: [[StreamSection]],
        _ stream: JoinedStream,
        _ tracks: [TrackDescription]
    ) async throws -> SubtitleClock {
        var clock = SubtitleClock(sections: [])
        guard tracks.contains(where: { $0.content == .subtitles }) else { return clock }
        var time = 0.0
        for (section, start) in zip(sections[0], stream.starts) {
            clock.sections.append(
                SubtitleClock.Section(
                    start: time,
                    duration: duration(section),
                    fileStart: start,
                    mediaStart: try await mediaStart(of: section)
                )
            )
            time += duration(section)
        }
        return clock
    }

    /// Returns the time of the first picture or sound in a section, or nil if the time is
    /// unreadable.
    private func mediaStart(of section: StreamSection) async throws -> Double? {
        let first = StreamSection(header: section.header, segments: [section.segments[0]])
        do {
            return try await startTime(of: first)
        } catch let error as MediaError where error.code != .cancelled && error.code != .noSpace {
            return nil
        }
    }
}
