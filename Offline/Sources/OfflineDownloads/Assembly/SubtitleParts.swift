// SPDX-License-Identifier: Apache-2.0
import OfflineMedia
import OfflineModel
import OfflineSources
import TidingsFiles

/// The parts of one language of subtitles on disk, in the sections of its playlist.
struct SubtitleParts {
    /// A segment on disk.
    struct Segment {
        let document: WebVTTDocument
        /// The start of the segment, according to the durations of the playlist.
        let position: Double
        /// The seconds that the playlist states.
        let duration: Double
        /// The number of the segment's section.
        let section: Int?
    }

    /// The parts in order.
    let parts: [PartRecord]
    /// The sections.
    ///
    /// Within each section, the times run on.
    let sections: [StreamSection]
    let limits = SubtitleLimits()

    init(_ parts: [PartRecord]) {
        self.parts = parts
        sections = StreamSection.sections(of: parts.map(\.part)[...]) { _, _ in true }
    }

    /// Calls a closure with each segment on disk, in order.
    ///
    /// - Throws: `MediaError` for a segment that cannot be read.
    func forEach(
        in directory: LibraryDirectory,
        of id: ItemID,
        _ body: (Segment) throws(MediaError) -> Void
    ) throws(MediaError) {
        let numbers = sections.enumerated().flatMap { number, section in
            section.segments.map { ($0, number) }
        }
        let sectionOfPart = Dictionary(numbers) { first, _ in first }
        var position = 0.0
        for (index, record) in parts.enumerated() {
            let duration = record.part.duration ?? 0
            defer { position += duration }
            if record.size == nil { continue }
            let path = directory.part(record.fileName, of: id)
            guard
                let data = SystemFile.read(path, limit: Int(SubtitleLimits.segmentBytes) + 1)
            else { throw MediaError(.cannotRead, "A segment of them cannot be read. Try again.") }
            try body(
                Segment(
                    document: try WebVTTDocument([UInt8](data), limits: limits),
                    position: position,
                    duration: duration,
                    section: sectionOfPart[index]
                )
            )
        }
    }
}
