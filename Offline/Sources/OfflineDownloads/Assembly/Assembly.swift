// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineMedia
import OfflineModel
import OfflineSources
import OfflineStore
import Tidings
import TidingsFiles
import TidingsSQLite

/// Joins the parts of an item on disk into one file.
///
/// Each section of the stream becomes a file, which is compared with the playlist. If the formats
/// agree, the sections are then joined.
struct Assembly: Sendable {
    let environment: DownloadEnvironment
    let id: ItemID

    private var directory: LibraryDirectory { environment.directory }

    /// Joins the recorded parts and returns the file in the item's work folder.
    func run() async throws -> CompleteFile {
        let tracks = try environment.journal.downloads.tracks(of: id)
        let all = try environment.journal.downloads.parts(of: id)
        let parts = all.filter { !$0.isText(in: tracks) }
        try environment.journal.advance(id, .join)
        let output = directory.muxedFile(of: id)
        try SystemFile.remove(output)
        try environment.space.require(parts.reduce(0) { $0 + ($1.size ?? 0) })
        try prepare(all)
        if tracks.areTextsAlone { return try joinTexts(all, into: output) }
        let item = try environment.journal.items.item(id)
        let isPart = item?.choice.chapters != nil
        let unnamed = UnnamedTexts(environment: environment, id: id, isPart: isPart)
        if try unnamed.areTexts(parts) { return try joinTexts(parts, into: output) }
        let muxer = SectionMuxer(
            environment: environment,
            id: id,
            parts: parts,
            tracks: tracks,
            isRecording: item?.live != nil,
            isPart: isPart
        )
        do {
            var sections = sections(of: parts)
            let cut = muxer.isRecording ? cutToCommonEnd(&sections, muxer) : []
            let stream = try await muxer.join(sections)
            let joined = stream.sections
            var properties: MediaProperties
            if joined.count == 1 {
                try SystemFile.rename(joined[0].path, to: output)
                properties = joined[0].properties
            } else {
                try StreamFormat.requireEqual(joined)
                try await Joiner().join(
                    joined.map(\.name),
                    in: directory.sections(of: id),
                    into: output,
                    purposes: joined[0].properties.tracks.filter { $0.kind == .audio }
                        .map(\.purpose)
                )
                properties = try await MediaProbe().probe(output)
                try requireAll(joined, in: properties)
            }
            if properties.video != nil, tracks.allSatisfy({ $0.content.hasNoPictures }) {
                properties = try await removePictures(from: output, properties)
            }
            let notes = try await SubtitleAssembly(
                environment: environment,
                id: id,
                parts: all.filter { $0.isText(in: tracks) },
                tracks: tracks,
                clock: try await muxer.clock(of: sections, stream, tracks),
                properties: properties,
                isPart: isPart
            ).run(output)
            properties = try await addExtras(to: output, properties, tracks)
            try await tag(output, tracks)
            SystemFile.removeFolder(directory.sections(of: id))
            let repeated = RepeatedSegments(parts: parts, tracks: tracks) { part in
                directory.part(part.fileName, of: id)
            }
            try note(repeated.notes + cut + StreamNotes(joined).text + stream.notes + notes)
            return CompleteFile(path: output, properties: properties)
        } catch {
            // The server of a live stream no longer has the parts.
            if !muxer.isRecording { try discardUnproven(parts, after: error) }
            throw error
        }
    }

    /// Joins subtitles without a film, which need no demuxer.
    private func joinTexts(_ parts: [PartRecord], into output: String) throws -> CompleteFile {
        let texts = TextAssembly(environment: environment, id: id, parts: SubtitleParts(parts))
        try note(try texts.run(output))
        SystemFile.removeFolder(directory.sections(of: id))
        return CompleteFile(path: output, isText: true)
    }

    /// Returns the sections of each track.
    private func sections(of parts: [PartRecord]) -> [[StreamSection]] {
        let paths = parts.map { directory.part($0.fileName, of: id) }
        let all = parts.map(\.part)
        let starts = parts.indices.filter {
            $0 == 0 || parts[$0].id.track != parts[$0 - 1].id.track
        }
        return zip(starts, starts.dropFirst() + [parts.count]).map { start, end in
            StreamSection.sections(of: all[start..<end]) { first, second in
                FileManager.default.contentsEqual(atPath: paths[first], andPath: paths[second])
            }
        }
    }

    /// Removes the sections that a track of a recording lacks because the track stopped earlier.
    ///
    /// - Returns: The sentence for the user about the pictures that are left out.
    private func cutToCommonEnd(
        _ sections: inout [[StreamSection]],
        _ muxer: SectionMuxer
    ) -> [String] {
        let count = sections.map(\.count).min() ?? 0
        guard count > 0 else { return [] }
        let cut = (sections.first ?? []).dropFirst(count).reduce(0) { $0 + muxer.duration($1) }
        sections = sections.map { Array($0.prefix(count)) }
        guard cut > 0 else { return [] }
        return ["The last \(PlayTime.text(cut)) were left out: not all tracks have them."]
    }

    private func prepare(_ parts: [PartRecord]) throws {
        SystemFile.removeFolder(directory.subtitles(of: id))
        SystemFile.removeFolder(directory.sections(of: id))
        try SystemFile.makeFolder(directory.sections(of: id))
        let total = parts.reduce(0) { $0 + ($1.size ?? 0) }
        environment.progress.update(id) { progress in
            let count = parts.count { !$0.part.isGap }
            progress.totalSegments = count
            progress.doneSegments = count
            progress.receivedBytes = max(progress.receivedBytes, total)
            progress.muxedFraction = 0
        }
    }

    /// Keeps only the sound of a file and returns the new properties.
    private func removePictures(
        from output: String,
        _ properties: MediaProperties
    ) async throws -> MediaProperties {
        guard properties.tracks.contains(where: { $0.kind == .audio }) else {
            throw DownloadError(
                .refused,
                "The stream has no sound, so its sound alone cannot be kept. Choose another quality."
            )
        }
        let path = "\(directory.sections(of: id))/sound.mp4"
        let input = TrackCombiner.Input(
            path: output,
            delay: 0,
            description: TrackDescription(content: .sound),
            soundCount: 0
        )
        try await TrackCombiner().combine([input], into: path, index: .start)
        try SystemFile.rename(path, to: output)
        return try await MediaProbe().probe(output)
    }

    /// Throws `.incomplete` if the joined file has fewer frames than the sections.
    private func requireAll(
        _ sections: [JoinedSection],
        in joined: MediaProperties
    ) throws(MediaError) {
        let frames = joined.tracks.map { $0.frames ?? 0 }
        let expected = frames.indices.map { track in
            sections.reduce(0) { $0 + ($1.properties.tracks[track].frames ?? 0) }
        }
        guard frames == expected else {
            throw MediaError(
                .incomplete,
                "The parts of the stream could not be joined completely. Choose another quality, "
                    + "or report the address."
            )
        }
    }

    private func tag(_ film: String, _ tracks: [TrackDescription]) async throws {
        guard let title = try environment.journal.items.item(id)?.title else { return }
        try await performBlocking { () throws(MediaError) in
            try MovieTags.write(title: title, names: tracks.map(\.name), to: film)
        }
    }

    private func note(_ notes: [String]) throws {
        guard let item = try environment.journal.items.item(id), !notes.isEmpty else { return }
        let note = ItemNote(notes, after: item.note)
        try environment.journal.change(id, .set(\.note, note.text))
    }

    /// Clears the sizes of parts with an unproven length, so that the next run repeats them.
    ///
    /// If the muxer cannot read the parts, one of the unproven parts may be truncated.
    private func discardUnproven(
        _ parts: [PartRecord],
        after error: any Error
    ) throws(SQLiteError) {
        let codes: [MediaErrorCode] = [.cannotRead, .notMedia, .failed, .incomplete]
        guard let error = error as? MediaError, codes.contains(error.code) else { return }
        try environment.journal.downloads.clearSizes(
            of: parts.filter { !$0.isProven }.map(\.id),
            in: id
        )
    }
}
