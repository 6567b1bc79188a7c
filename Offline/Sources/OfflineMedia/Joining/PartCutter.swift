// SPDX-License-Identifier: Apache-2.0
package import OfflineModel
import Tidings

/// Copies a part of a media file, without encoding the pictures and sound again.
package struct PartCutter: Sendable {
    /// The name of the format for ffmpeg.
    private let format: String
    private let hasIndex: Bool

    /// Creates a cutter, or returns nil for a format in which the cutter writes no file.
    package init?(_ kind: ContentKind) {
        let formats: [ContentKind: String] = [
            .mp4: "mp4", .m4a: "mp4", .mp3: "mp3", .matroska: "matroska", .webm: "webm",
        ]
        guard let format = formats[kind] else { return nil }
        self.format = format
        hasIndex = format == "mp4"
    }

    /// Writes a part of a film, which starts at the last key frame before the part.
    ///
    /// - Parameters:
    ///   - part: The part in seconds.
    ///   - film: The absolute path of the film.
    ///   - output: The absolute path of the file to write.
    ///   - chapters: The absolute path of a file with the result of `[Chapter].metadata`, or nil
    ///     for no chapters. By default, ffmpeg would keep all chapters up to the end of the film.
    /// - Throws: The errors of `Muxer.mux`.
    package func write(
        _ part: Range<Double>,
        of film: String,
        to output: String,
        chapters: String?
    ) async throws(MediaError) {
        let total = try OwnedDescriptor.reading(film).length(film)
        var arguments = ["-nostdin", "-hide_banner", "-loglevel", "error"]
        arguments += MediaFormats.readingOneFile
        arguments += ["-ss", "\(part.lowerBound)", "-to", "\(part.upperBound)"]
        arguments += ["-i", try MediaFormats.argument(film)]
        if let chapters {
            arguments += ["-protocol_whitelist", "file", "-format_whitelist", "ffmetadata"]
            arguments += ["-f", "ffmetadata", "-i", try MediaFormats.argument(chapters)]
        }
        arguments += ["-map_chapters", chapters == nil ? "-1" : "1"]
        arguments += ["-map", "0:v?", "-map", "0:a?", "-map", "0:s?", "-c", "copy"]
        arguments += ["-avoid_negative_ts", "make_zero"]
        if hasIndex { arguments += Muxer.IndexPlace.start.arguments }
        let child = ChildProcess(
            executable: try MediaTool.ffmpeg.path(),
            arguments: arguments + ["-f", format, "-y", try MediaFormats.argument(output)],
            limits: Muxer.limits(total)
        )
        try await child.write(output)
    }
}
