// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineMedia
import OfflineModel
import OfflineSources
import Tidings
import TidingsFiles

/// Joins the segments of subtitles without a film into one WebVTT file.
struct TextAssembly {
    let environment: DownloadEnvironment
    let id: ItemID
    /// The segments of the only track.
    let parts: SubtitleParts

    private var directory: LibraryDirectory { environment.directory }

    /// Writes the file and returns the notes for the user.
    ///
    /// - Throws: `MediaError` if the segments are not WebVTT or contain no text.
    func run(_ output: String) throws -> [String] {
        var timeline = SubtitleTimeline(try clock(), duration: .infinity, limits: parts.limits)
        try parts.forEach(in: directory, of: id) { segment throws(MediaError) in
            try timeline.add(segment.document, at: segment.position, in: segment.section)
        }
        let cues = timeline.cues
        guard !cues.isEmpty else {
            throw MediaError(
                .notMedia,
                "The playlist lists subtitles that contain no text. Use the address of the film."
            )
        }
        try SystemFile.create(
            output,
            content: WebVTTWriter.file(cues),
            rights: FileDescriptor.ordinaryRights
        )
        let lost = timeline.unreadable + timeline.outside
        guard lost > 0 else { return [] }
        return ["\(lost == 1 ? "A text" : "\(lost) texts") of the subtitles could not be kept."]
    }

    /// Returns the clock of a film that has the sections of the subtitles.
    private func clock() throws(MediaError) -> SubtitleClock {
        let starts = self.starts
        var origins = Array(repeating: TextOrigin(), count: parts.sections.count)
        try parts.forEach(in: directory, of: id) { segment in
            guard let section = segment.section else { return }
            origins[section].add(
                segment.document,
                at: segment.position - starts[section],
                duration: segment.duration
            )
        }
        var clock = SubtitleClock(sections: [])
        for (number, origin) in origins.enumerated() {
            let last = clock.sections.last
            let continued = last.flatMap { last in
                last.mediaStart.map { $0 + starts[number] - last.start }
            }
            clock.sections.append(
                SubtitleClock.Section(
                    start: starts[number],
                    duration: starts[number + 1] - starts[number],
                    fileStart: starts[number],
                    mediaStart: origin.start(continuing: continued)
                )
            )
        }
        return clock
    }

    /// The start of each section in seconds, followed by the end of the last section.
    private var starts: [Double] {
        var end = 0.0
        let positions = parts.parts.map { record in
            defer { end += record.part.duration ?? 0 }
            return end
        }
        return parts.sections.map { positions[$0.segments[0]] } + [end]
    }
}
