// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tidings

/// Reads the properties of a media file with ffprobe.
package struct MediaProbe: Sendable {
    private let searchPath: String?

    /// Creates a probe.
    ///
    /// - Parameter searchPath: The folders to search for ffprobe; nil for the environment's `PATH`.
    package init(searchPath: String? = nil) {
        self.searchPath = searchPath
    }

    /// Reads the properties of a file.
    ///
    /// - Parameter path: The absolute path of the file.
    /// - Returns: The properties; the file has video, audio or both.
    /// - Throws: `.notMedia` for any other content, including playlists; `.cannotRead` for anything
    ///   but a regular file.
    package func probe(_ path: String) async throws(MediaError) -> MediaProperties {
        let entries = [
            "format=format_name,duration",
            "stream=codec_type,codec_name,width,height,duration",
            "stream_disposition=attached_pic",
        ]
        var limits = ChildProcess.Limits()
        limits.cpuSeconds = 20
        limits.wallClock = .seconds(60)
        limits.fileBytes = 0
        let child = ChildProcess(
            executable: try MediaTool.ffprobe.path(in: searchPath),
            arguments: ["-hide_banner", "-loglevel", "error"] + MediaFormats.readingOneFile + [
                "-print_format", "json", "-show_entries", entries.joined(separator: ":"),
                "-i", try MediaFormats.argument(path),
            ],
            limits: limits
        )
        // The tool would block on a named pipe or a device, and a link could lead to any file.
        _ = try OwnedDescriptor.reading(path)
        let result = try await child.run()
        if let error = MediaError(result, of: "ffprobe") { throw error }
        return try Self.properties(output: result.output)
    }

    private static func properties(output: [UInt8]) throws(MediaError) -> MediaProperties {
        let document: ProbeOutput
        do {
            document = try JSONDecoder().decode(ProbeOutput.self, from: Data(output))
        } catch {
            throw MediaError(.failed, "The output of ffprobe cannot be read.", cause: error)
        }
        let streams = document.streams ?? []
        let video = streams.first {
            $0.codecType == "video" && $0.disposition?.attachedPicture != 1
        }
        let audio = streams.first { $0.codecType == "audio" }
        guard let format = document.format, video?.codecName != nil || audio?.codecName != nil
        else {
            throw MediaError(.notMedia, "The file contains neither video nor audio.")
        }
        let durations = [format.duration] + [video?.duration, audio?.duration]
        return MediaProperties(
            duration: durations.lazy.compactMap { $0.flatMap(Double.init) }.first { $0.isFinite },
            width: video?.width,
            height: video?.height,
            videoCodec: video?.codecName,
            audioCodec: audio?.codecName,
            container: format.name
        )
    }
}

/// The relevant part of ffprobe's JSON output.
private struct ProbeOutput: Decodable {
    struct Format: Decodable {
        var name: String
        var duration: String?

        enum CodingKeys: String, CodingKey {
            case name = "format_name"
            case duration
        }
    }

    struct Disposition: Decodable {
        var attachedPicture: Int?

        enum CodingKeys: String, CodingKey {
            case attachedPicture = "attached_pic"
        }
    }

    struct Stream: Decodable {
        var codecType: String?
        var codecName: String?
        var width: Int?
        var height: Int?
        var duration: String?
        var disposition: Disposition?

        enum CodingKeys: String, CodingKey {
            case codecType = "codec_type"
            case codecName = "codec_name"
            case width, height, duration, disposition
        }
    }

    var format: Format?
    var streams: [Stream]?
}
