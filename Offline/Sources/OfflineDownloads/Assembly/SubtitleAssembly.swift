// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineMedia
import OfflineModel
import OfflineSources
import OfflineStore
import Tidings
import TidingsFiles

/// Writes the subtitles of a stream into the film and into separate files beside the film.
///
/// The film is complete without subtitles. A language that cannot be read is left out with a note.
struct SubtitleAssembly {
    let environment: DownloadEnvironment
    let id: ItemID
    /// The parts of all languages.
    let parts: [PartRecord]
    let tracks: [TrackDescription]
    /// The sections of the pictures.
    let clock: SubtitleClock
    let properties: MediaProperties
    /// Whether the film is only a part of the stream.
    ///
    /// Subtitles without a map do not show where the part starts.
    var isPart = false

    private static let limits = SubtitleLimits()

    private var directory: LibraryDirectory { environment.directory }

    /// Adds the subtitles to a film.
    ///
    /// - Parameter film: The path of the film, which is replaced.
    /// - Returns: The notes for the user.
    /// - Throws: An error that does not concern a language, such as a full disk.
    func run(_ film: String) async throws -> [String] {
        var notes: [String] = []
        var inputs: [SubtitleMuxer.Input] = []
        var counts: [String: Int] = [:]
        for (number, description) in tracks.enumerated() where description.content == .subtitles {
            try Task.checkCancellation()
            let own = parts.filter { $0.id.track == number }
            guard own.contains(where: { $0.size != nil }) else { continue }
            let title = SubtitleLanguage.title(description.language)
            let cues: [SubtitleCue]
            do throws(MediaError) {
                let timeline = try timeline(of: own)
                cues = timeline.cues
                notes += notesOnLoss(timeline, title)
            } catch {
                notes.append("Subtitles were left out: \(title). \(error.message)")
                continue
            }
            if cues.isEmpty { continue }
            let language = SubtitleLanguage.fileNamePart(description.language)
            let key = "\(language).\(description.mark ?? "")"
            counts[key, default: 0] += 1
            let suffix = LibraryDirectory.subtitleSuffix(
                language,
                mark: description.mark,
                number: counts[key] ?? 1
            )
            let path = try write(cues, suffix: suffix, number: inputs.count)
            inputs.append(.init(path: path, description: description, number: number))
        }
        guard !inputs.isEmpty else { return notes }
        return notes + (try await addTracks(inputs, to: film))
    }

    private func timeline(of parts: [PartRecord]) throws(MediaError) -> SubtitleTimeline {
        let language = SubtitleParts(parts)
        let corresponds = language.sections.count == clock.sections.count
        var timeline = SubtitleTimeline(
            clock,
            duration: properties.duration ?? .infinity,
            limits: Self.limits
        )
        try language.forEach(in: directory, of: id) { segment throws(MediaError) in
            guard !isPart || segment.document.map != nil || segment.document.cues.isEmpty else {
                throw MediaError(
                    .notMedia,
                    "Their times do not show which of them belong to the part of the film."
                )
            }
            try timeline.add(
                segment.document,
                at: segment.position,
                in: corresponds ? segment.section : nil
            )
        }
        return timeline
    }

    private func notesOnLoss(_ timeline: SubtitleTimeline, _ title: String) -> [String] {
        guard !timeline.cues.isEmpty else {
            return [
                "Subtitles were left out: \(title). "
                    + (timeline.outside > 0
                        ? "Their times do not match the film." : "They contain no text.")
            ]
        }
        // Segments of subtitles may reach beyond the part.
        let lost = timeline.unreadable + (isPart ? 0 : timeline.outside)
        guard lost > 0 else { return [] }
        let texts = lost == 1 ? "A text" : "\(lost) texts"
        return ["\(texts) of the subtitles could not be kept: \(title)."]
    }

    /// Writes the file that the publication moves beside the film.
    ///
    /// Returns the path of another file for the film's track.
    private func write(_ cues: [SubtitleCue], suffix: String, number: Int) throws -> String {
        try SystemFile.makeFolder(directory.subtitles(of: id))
        let beside = "\(directory.subtitles(of: id))/\(suffix)"
        let rights = FileDescriptor.ordinaryRights
        try SystemFile.create(beside, content: WebVTTWriter.file(cues), rights: rights)
        try SystemFile.sync(beside)
        let path = "\(directory.sections(of: id))/text-\(number).vtt"
        let track = WebVTTWriter.consecutive(cues, limit: Self.limits.simultaneous)
        try SystemFile.create(path, content: WebVTTWriter.file(track))
        return path
    }

    /// Adds the tracks.
    ///
    /// Even without tracks, the film and the files beside the film are complete.
    private func addTracks(
        _ inputs: [SubtitleMuxer.Input],
        to film: String
    ) async throws -> [String] {
        let output = "\(directory.sections(of: id))/with-text.mp4"
        do {
            try await SubtitleMuxer().add(inputs, to: film, into: output)
            let result = try await MediaProbe().probe(output)
            guard result.tracks.map(\.frames) == properties.tracks.map(\.frames) else {
                throw MediaError(.incomplete, "The film would lose pictures or sound.")
            }
            try SystemFile.rename(output, to: film)
            return []
        } catch let error as MediaError where error.code != .cancelled && error.code != .noSpace {
            return ["Subtitles are only in the files beside the film. \(error.message)"]
        }
    }
}
