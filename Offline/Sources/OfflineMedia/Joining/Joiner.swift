// SPDX-License-Identifier: Apache-2.0
import Foundation
package import OfflineModel
import Tidings

/// Joins files with the same tracks, one after the other, without encoding again.
package struct Joiner: Sendable {
    private let searchPath: String?

    /// Creates a joiner.
    ///
    /// - Parameter searchPath: The folders to search for ffmpeg, or nil for the environment's
    ///   `PATH`.
    package init(searchPath: String? = nil) {
        self.searchPath = searchPath
    }

    /// Joins the files of a folder into one file, with the index first.
    ///
    /// The method replaces an existing file. After an error the output does not exist. The tracks
    /// of all files must have the same order, codecs and timescales, which is true for files of
    /// `Muxer`.
    ///
    /// - Parameters:
    ///   - names: The names of the files in order, with only ASCII letters, digits, points and
    ///     hyphens.
    ///   - folder: The absolute path of the folder with the files, in which the method writes a
    ///     list of the files.
    ///   - output: The absolute path of the file to write.
    ///   - purposes: The purposes of the sound tracks, of which the first track is the default.
    /// - Throws: The errors of `Muxer.mux`.
    package func join(
        _ names: [String],
        in folder: String,
        into output: String,
        purposes: [TrackPurpose?] = []
    ) async throws(MediaError) {
        var total: Int64 = 0
        for name in names {
            let path = "\(folder)/\(name)"
            total += try OwnedDescriptor.reading(path).length(path)
        }
        let list = "\(folder)/list"
        try Self.write(names.map { "file \($0)\n" }.joined(), to: list)
        defer { unlink(list) }
        let child = ChildProcess(
            executable: try MediaTool.ffmpeg.path(in: searchPath),
            arguments: try Self.arguments(list: list, purposes, output: output),
            limits: Muxer.limits(total)
        )
        try await child.write(output)
    }

    private static func arguments(
        list: String,
        _ purposes: [TrackPurpose?],
        output: String
    ) throws(MediaError) -> [String] {
        ["-nostdin", "-hide_banner", "-loglevel", "error"]
            // The demuxer's own check is on, so that the list refers only to files of the same
            // folder.
            + ["-protocol_whitelist", "file", "-format_whitelist", "concat,mov", "-f", "concat"]
            + ["-safe", "1", "-i", try MediaFormats.argument(list), "-map", "0", "-c", "copy"]
            // The list has no dispositions.
            + TrackCombiner.dispositions(purposes) + MovieTags.placeholder
            + Muxer.IndexPlace.start.arguments
            + ["-f", "mp4", "-y", try MediaFormats.argument(output)]
    }

    private static func write(_ text: String, to path: String) throws(MediaError) {
        guard FileManager.default.createFile(atPath: path, contents: Data(text.utf8)) else {
            throw MediaError(
                errno == ENOSPC ? .noSpace : .failed,
                "The list of the stream's pieces cannot be written. Free some space and try again."
            )
        }
    }
}
