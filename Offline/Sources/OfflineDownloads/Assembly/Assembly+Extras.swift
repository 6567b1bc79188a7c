// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineMedia
import OfflineModel
import OfflineStore
import Tidings
import TidingsFiles

extension Assembly {
    /// Writes the recorded chapters and the cover into a joined film.
    ///
    /// The film is complete without these extras. The item keeps any extra that cannot be written.
    ///
    /// - Parameters:
    ///   - film: The path of the film, which is replaced.
    ///   - properties: The properties of the film.
    ///   - tracks: The descriptions of the item's tracks.
    /// - Returns: The properties with the chapters of the film.
    /// - Throws: An error that does not concern the extras, such as a full disk.
    func addExtras(
        to film: String,
        _ properties: MediaProperties,
        _ tracks: [TrackDescription]
    ) async throws -> MediaProperties {
        let output = "\(environment.directory.sections(of: id))/with-extras.mp4"
        let cover = environment.directory.cover(of: id)
        let muxer = ExtrasMuxer(
            chapters: try writeChapters(properties),
            cover: SystemFile.size(of: cover) == nil ? nil : cover,
            pictureTracks: properties.tracks.count { $0.kind == .video },
            showsSubtitles: tracks.contains { $0.content == .subtitles && $0.isDefault }
        )
        guard muxer.chapters != nil || muxer.cover != nil else { return properties }
        do {
            try await muxer.add(to: film, into: output)
            var result = try await MediaProbe().probe(output)
            guard result.tracks.map(\.frames) == properties.tracks.map(\.frames) else {
                throw MediaError(.incomplete, "The film would lose pictures or sound.")
            }
            try SystemFile.rename(output, to: film)
            (result.duration, result.start) = (properties.duration, properties.start)
            return result
        } catch let error as MediaError where error.code != .cancelled && error.code != .noSpace {
            return properties
        }
    }

    /// Writes the file of the chapters and returns the path, or returns nil without chapters.
    private func writeChapters(_ properties: MediaProperties) throws -> String? {
        let chapters = try environment.journal.files.chapters(of: id).filter { chapter in
            chapter.start < properties.duration ?? .infinity
        }
        guard !chapters.isEmpty else { return nil }
        let path = "\(environment.directory.sections(of: id))/chapters"
        try SystemFile.remove(path)
        try SystemFile.create(path, content: chapters.metadata(duration: properties.duration))
        return path
    }
}
