// SPDX-License-Identifier: Apache-2.0
import Foundation
package import OfflineModel
import Tidings

/// Adds subtitles to a film as tracks, without encoding the pictures and sound again.
package struct SubtitleMuxer: Sendable {
    /// Creates a muxer.
    package init() {}

    /// The subtitles of one language.
    package struct Input: Hashable {
        /// The absolute path of a file that `WebVTTWriter` has written.
        var path: String
        /// The language, and when to show the subtitles.
        var description: TrackDescription
        /// The number of the track among the tracks of the film, for the placeholder of the name.
        var number = 0

        /// Creates an input.
        package init(path: String, description: TrackDescription, number: Int = 0) {
            self.path = path
            self.description = description
            self.number = number
        }
    }

    /// Copies a film and adds the subtitles after the other tracks.
    ///
    /// The method replaces an existing file. After an error the output does not exist.
    ///
    /// - Parameters:
    ///   - inputs: The subtitles in order.
    ///   - film: The absolute path of the film.
    ///   - output: The absolute path of the file to write.
    /// - Throws: The errors of `Muxer.mux`.
    package func add(
        _ inputs: [Input],
        to film: String,
        into output: String
    ) async throws(MediaError) {
        var total = try OwnedDescriptor.reading(film).length(film)
        for input in inputs { total += try OwnedDescriptor.reading(input.path).length(input.path) }
        let child = ChildProcess(
            executable: try MediaTool.ffmpeg.path(),
            arguments: try Self.arguments(inputs, film) + MovieTags.placeholder
                + Muxer.IndexPlace.start.arguments
                + ["-f", "mp4", "-y", try MediaFormats.argument(output)],
            limits: Muxer.limits(total)
        )
        try await child.write(output)
        guard !inputs.contains(where: \.description.isDefault) else { return }
        do throws(MediaError) {
            try SubtitleFlags.clear(in: output)
        } catch {
            unlink(output)
            throw error
        }
    }

    private static func arguments(
        _ inputs: [Input],
        _ film: String
    ) throws(MediaError) -> [String] {
        var arguments = ["-nostdin", "-hide_banner", "-loglevel", "error"]
        arguments += MediaFormats.readingOneFile + ["-i", try MediaFormats.argument(film)]
        for input in inputs {
            arguments += ["-protocol_whitelist", "file", "-format_whitelist", "webvtt"]
            arguments += ["-f", "webvtt", "-i", try MediaFormats.argument(input.path)]
        }
        arguments += ["-map", "0"]
        for number in inputs.indices { arguments += ["-map", "\(number + 1):s:0"] }
        arguments += ["-c", "copy", "-c:s", "mov_text", "-video_track_timescale", "90000"]
        for (number, input) in inputs.enumerated() {
            let description = input.description
            let title = SubtitleLanguage.title(description.language)
            let shown = description.isForced ? "\(title) (forced)" : title
            let flags = [
                description.isDefault ? "default" : nil, description.isForced ? "forced" : nil,
                description.purpose?.disposition,
            ]
            let disposition = flags.compactMap { $0 }.joined(separator: "+")
            arguments += ["-disposition:s:\(number)", disposition.isEmpty ? "0" : disposition]
            arguments += ["-metadata:s:s:\(number)", "title=\(shown)"]
            let name = "handler_name=\(shown)"
            arguments += [
                "-metadata:s:s:\(number)",
                description.name == nil ? name : MovieTags.placeholder(ofTrack: input.number),
            ]
            if let language = description.language {
                arguments += ["-metadata:s:s:\(number)", "language=\(language)"]
            }
        }
        return arguments
    }
}
