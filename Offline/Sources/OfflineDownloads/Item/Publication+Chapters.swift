// SPDX-License-Identifier: Apache-2.0
import OfflineMedia
import OfflineModel
import OfflineStore
import Tidings
import TidingsFiles

extension Publication {
    /// Returns the part of a file that the item keeps, or nil if the item keeps the whole file.
    ///
    /// - Parameters:
    ///   - path: The path of the unchanged file from the server.
    ///   - kind: The kind of the file.
    ///   - properties: The properties of the file, or nil if the file is not media.
    /// - Returns: The file of the part, and a note about the part.
    /// - Throws: `.refused` if the file does not have such a part.
    func part(
        of path: String,
        _ kind: ContentKind,
        _ properties: MediaProperties?
    ) async throws -> (file: CompleteFile, note: String)? {
        guard let range = item.choice.chapters else { return nil }
        guard let properties, let duration = properties.duration, let cutter = PartCutter(kind)
        else {
            throw DownloadError(
                .refused,
                "The file cannot be cut: that is possible for films and sound in MP4, Matroska, "
                    + "WebM and MP3. Leave out --chapters."
            )
        }
        let journal = environment.journal
        let own = properties.chapters
        let chapters = own.isEmpty ? try journal.files.chapters(of: item.id) : own
        let wanted = try range.seconds(of: chapters, in: duration)
        let output = environment.directory.muxedFile(of: item.id)
        try SystemFile.remove(output)
        try environment.space.require(SystemFile.size(of: path) ?? 0)
        let inside = chapters.inside(wanted)
        let list = "\(environment.directory.work(of: item.id))/chapters"
        try SystemFile.remove(list)
        let length = wanted.upperBound - wanted.lowerBound
        try SystemFile.create(list, content: inside.metadata(duration: length))
        try await cutter.write(wanted, of: path, to: output, chapters: inside.isEmpty ? nil : list)
        let file = CompleteFile(path: output, properties: try await MediaProbe().probe(output))
        return (file, ChapterRange.note(wanted, of: duration))
    }
}
