import Foundation
// SPDX-License-Identifier: Apache-2.0
import Tidings

/// Tells what a media file holds, by ffprobe.
package struct MediaProbe: Sendable {
    private let searchPath: String?

    /// Creates a probe.
    ///
    /// - Parameter searchPath: Where to look for ffprobe, in place of the environment's `PATH`.
    package init(searchPath: String? = nil) {
        self.searchPath = searchPath
    }

    /// Returns what a file holds; it has a picture or sound.
    ///
    /// The path is absolute. Throws `.notMedia` for any other content, playlists too.
    package func probe(_ path: String) async throws(MediaError) -> MediaFacts {
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
        // Named pipes and devices would make the tool wait; links could lead anywhere.
        _ = try Descriptor.reading(path)
        let result = try await child.run()
        if let error = MediaError(result, of: "ffprobe") { throw error }
        return try Self.facts(result.output)
    }

    private static func facts(_ output: [UInt8]) throws(MediaError) -> MediaFacts {
        let report: Report
        do {
            report = try JSONDecoder().decode(Report.self, from: Data(output))
        } catch {
            throw MediaError(.failed, "ffprobe's answer cannot be read.", cause: error)
        }
        let streams = report.streams ?? []
        let video = streams.first {
            $0.codecType == "video" && $0.disposition?.attachedPicture != 1
        }
        let audio = streams.first { $0.codecType == "audio" }
        guard let format = report.format, video?.codecName != nil || audio?.codecName != nil else {
            throw MediaError(.notMedia, "The file holds neither a picture nor sound.")
        }
        let durations = [format.duration] + [video?.duration, audio?.duration]
        return MediaFacts(
            duration: durations.lazy.compactMap { $0.flatMap(Double.init) }.first { $0.isFinite },
            width: video?.width,
            height: video?.height,
            videoCodec: video?.codecName,
            audioCodec: audio?.codecName,
            container: format.name
        )
    }
}

/// The part of ffprobe's answer that is read.
private struct Report: Decodable {
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
