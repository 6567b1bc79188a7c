// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineModel
import Tidings

/// Adds chapters and a cover to a joined film, without encoding the pictures and sound again.
package struct ExtrasMuxer: Sendable {
    /// The absolute path of a file with the result of `[Chapter].metadata`, or nil for no chapters.
    package var chapters: String?
    /// The absolute path of a JPEG, or nil for no cover.
    package var cover: String?
    /// The number of the film's tracks with pictures.
    var pictureTracks = 1
    /// Whether players show the first subtitles of the film without a choice of the viewer.
    var showsSubtitles = false

    /// Creates a muxer.
    package init(
        chapters: String? = nil,
        cover: String? = nil,
        pictureTracks: Int = 1,
        showsSubtitles: Bool = false
    ) {
        self.chapters = chapters
        self.cover = cover
        self.pictureTracks = pictureTracks
        self.showsSubtitles = showsSubtitles
    }

    /// Copies a film and adds the chapters and the cover.
    ///
    /// The method replaces an existing file. After an error the output does not exist.
    ///
    /// - Parameters:
    ///   - film: The absolute path of the film.
    ///   - output: The absolute path of the file to write.
    /// - Throws: The errors of `Muxer.mux`.
    package func add(to film: String, into output: String) async throws(MediaError) {
        var total = try OwnedDescriptor.reading(film).length(film)
        if let cover { total += try OwnedDescriptor.reading(cover).length(cover) }
        let child = ChildProcess(
            executable: try MediaTool.ffmpeg.path(),
            arguments: try arguments(film) + MovieTags.placeholder
                + Muxer.IndexPlace.start.arguments
                + ["-f", "mp4", "-y", try MediaFormats.argument(output)],
            limits: Muxer.limits(total)
        )
        try await child.write(output)
        if showsSubtitles { return }
        do throws(MediaError) {
            try SubtitleFlags.clear(in: output)
        } catch {
            unlink(output)
            throw error
        }
    }

    private func arguments(_ film: String) throws(MediaError) -> [String] {
        var arguments = ["-nostdin", "-hide_banner", "-loglevel", "error"]
        arguments += MediaFormats.readingOneFile + ["-i", try MediaFormats.argument(film)]
        var maps = ["-map", "0"]
        if let chapters {
            arguments += ["-protocol_whitelist", "file", "-format_whitelist", "ffmetadata"]
            arguments += ["-f", "ffmetadata", "-i", try MediaFormats.argument(chapters)]
            maps += ["-map_chapters", "1"]
        }
        if let cover, let format = MediaFormats.readingPicture(.jpeg) {
            arguments += format + ["-i", try MediaFormats.argument(cover)]
            maps += ["-map", "\(chapters == nil ? 1 : 2):v:0"]
            maps += ["-disposition:v:\(pictureTracks)", "attached_pic"]
        }
        return arguments + maps + ["-c", "copy", "-video_track_timescale", "90000"]
    }
}
