// SPDX-License-Identifier: Apache-2.0
package import OfflineModel
import Tidings

/// Copies a film with only one of its sounds, without encoding again.
package struct SoundMuxer: Sendable {
    private let searchPath: String?

    /// Creates a muxer.
    ///
    /// - Parameter searchPath: The folders to search for ffmpeg and ffprobe, or nil for the
    ///   environment's `PATH`.
    package init(searchPath: String? = nil) {
        self.searchPath = searchPath
    }

    /// Returns the tracks with sound of a film, in the order of the file.
    package func sounds(of film: String) async throws(MediaError) -> [MediaTrack] {
        try await MediaProbe(searchPath: searchPath).probe(film).tracks.filter { $0.kind == .audio }
    }

    /// Copies the pictures and one sound of a film.
    ///
    /// The method replaces an existing file. After an error the output does not exist. The same
    /// film and sound give the same bytes each time.
    ///
    /// - Parameters:
    ///   - film: The absolute path of the film.
    ///   - sound: The track with the sound.
    ///   - mediaType: The media type of the film and of the copy.
    ///   - output: The absolute path of the file to write.
    /// - Throws: The errors of `Muxer.mux`, and `.notMedia` for a format that cannot be copied.
    package func copy(
        _ film: String,
        sound: MediaTrack,
        mediaType: String?,
        into output: String
    ) async throws(MediaError) {
        guard let format = mediaType.flatMap({ Self.formats[$0] }), let index = sound.index else {
            throw MediaError(.notMedia, "The sound of this kind of file cannot be changed.")
        }
        let child = ChildProcess(
            executable: try MediaTool.ffmpeg.path(in: searchPath),
            arguments: ["-nostdin", "-hide_banner", "-loglevel", "error"]
                + MediaFormats.readingOneFile + [
                    "-i", try MediaFormats.argument(film), "-map", "0:V?", "-map", "0:\(index)",
                    "-map_chapters", "-1", "-c", "copy", "-fflags", "+bitexact",
                    "-f", format, "-y", try MediaFormats.argument(output),
                ],
            limits: Muxer.limits(try OwnedDescriptor.reading(film).length(film))
        )
        try await child.write(output)
    }

    /// The names of the formats that browsers may play, by media type.
    private static let formats = [
        "video/mp4": "mp4", "audio/mp4": "mp4", "video/quicktime": "mov", "video/webm": "webm",
        "audio/webm": "webm", "video/x-matroska": "matroska", "video/mp2t": "mpegts",
        "video/ogg": "ogg", "audio/ogg": "ogg",
    ]
}
