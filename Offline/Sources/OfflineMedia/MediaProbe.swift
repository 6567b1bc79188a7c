// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineModel
import Tidings

/// Reads the properties of a media file with ffprobe.
package struct MediaProbe: Sendable {
    private let searchPath: String?
    private let isUrgent: Bool

    /// Creates a probe.
    ///
    /// - Parameters:
    ///   - searchPath: The folders to search for ffprobe, or nil for the environment's `PATH`.
    ///   - isUrgent: Whether ffprobe gets a full share of the processor. Otherwise ffprobe gets
    ///     only the time that no other program needs.
    package init(searchPath: String? = nil, isUrgent: Bool = true) {
        self.searchPath = searchPath
        self.isUrgent = isUrgent
    }

    /// Reads the properties of a file.
    ///
    /// - Parameter path: The absolute path of the file.
    /// - Returns: The properties of a file with video, audio or both.
    /// - Throws: `.notMedia` for any other content, including playlists, and `.cannotRead` for
    ///   anything but a regular file.
    package func probe(_ path: String) async throws(MediaError) -> MediaProperties {
        let entries = [
            "format=format_name,duration,start_time", "format_tags=title",
            "stream=index,codec_type,codec_name,extradata_hash,width,height,sample_rate,channels",
            "stream=start_time,duration,nb_frames",
            "stream_disposition=attached_pic,visual_impaired,hearing_impaired,comment",
            "stream_tags=language,title,handler_name",
            "chapter=start_time", "chapter_tags=title",
        ]
        var limits = ChildProcess.Limits()
        limits.cpuSeconds = 20
        limits.wallClock = .seconds(60)
        limits.fileBytes = 0
        var child = ChildProcess(
            executable: try MediaTool.ffprobe.path(in: searchPath),
            arguments: ["-hide_banner", "-loglevel", "error"] + MediaFormats.readingOneFile + [
                "-print_format", "json", "-show_data_hash", "md5", "-show_entries",
                entries.joined(separator: ":"),
                "-i", try MediaFormats.argument(path),
            ],
            limits: limits
        )
        if !isUrgent { child.niceness = ChildProcess.lowestPriority }
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
        let tracks = (document.streams ?? []).compactMap(MediaTrack.init)
        guard let format = document.format, !tracks.isEmpty else {
            throw MediaError(.notMedia, "The file contains neither video nor audio.")
        }
        let durations = [format.duration.flatMap(finiteNumber)] + tracks.map(\.duration)
        let duration = durations.lazy.compactMap { $0 }.first
        let chapters = (document.chapters ?? []).compactMap { chapter in
            chapter.start.flatMap(finiteNumber).map {
                (start: $0, title: chapter.tags?["title"] ?? "")
            }
        }
        return MediaProperties(
            duration: duration,
            start: format.start.flatMap(finiteNumber) ?? 0,
            tracks: tracks,
            container: format.name,
            chapters: Chapter.list(chapters, before: duration),
            title: title(document, tracks)
        )
    }

    /// Returns the title in the tags.
    ///
    /// Ogg files have the tags in the streams.
    private static func title(_ document: ProbeOutput, _ tracks: [MediaTrack]) -> String? {
        let isOgg = document.format?.name == "ogg" && tracks.allSatisfy { $0.kind == .audio }
        let own = isOgg ? document.streams?.lazy.compactMap { $0.tag("title") }.first : nil
        let title = Title(line: document.format?.tag("title") ?? own ?? "", fallback: "").text
        return title.isEmpty ? nil : title
    }

    /// Returns a number that ffprobe printed, or nil for values such as `inf`.
    fileprivate static func finiteNumber(_ text: String) -> Double? {
        Double(text).flatMap { $0.isFinite ? $0 : nil }
    }
}

extension MediaTrack {
    /// Creates a track, or returns nil for cover art, subtitles, data, and an unknown codec.
    fileprivate init?(_ stream: ProbeOutput.Stream) {
        guard
            let kind = stream.codecType.flatMap(Kind.init), let codec = stream.codecName,
            stream.disposition?.attachedPicture != 1
        else { return nil }
        self.init(
            kind: kind,
            codec: codec,
            language: stream.tags?["language"].flatMap { $0 == "und" ? nil : $0 },
            configuration: stream.configuration,
            width: stream.width,
            height: stream.height,
            sampleRate: stream.sampleRate.flatMap { Int($0) },
            channels: stream.channels,
            start: stream.start.flatMap(MediaProbe.finiteNumber),
            duration: stream.duration.flatMap(MediaProbe.finiteNumber),
            frames: stream.frames.flatMap { Int($0) },
            name: Self.name(stream),
            purpose: stream.disposition.flatMap(TrackPurpose.init),
            index: stream.index
        )
    }

    /// Returns the name for viewers.
    ///
    /// Programs give all tracks a handler, which is not such a name.
    private static func name(_ stream: ProbeOutput.Stream) -> String? {
        let handler = stream.tag("handler_name") ?? ""
        let isGeneric = ["handler", "core media", "iso media"].contains {
            handler.lowercased().contains($0)
        }
        let text = stream.tag("title") ?? (isGeneric ? "" : handler)
        let name = Title(line: text, longest: TrackDescription.longestName, fallback: "").text
        return name.isEmpty ? nil : name
    }
}

extension TrackPurpose {
    /// Creates the purpose that a file states, or returns nil for a usual track.
    fileprivate init?(_ disposition: ProbeOutput.Disposition) {
        if disposition.visualImpaired == 1 {
            self = .describesVideo
        } else if disposition.hearingImpaired == 1 {
            self = .transcribesDialog
        } else if disposition.comment == 1 {
            self = .commentary
        } else {
            return nil
        }
    }
}

/// The relevant part of ffprobe's JSON output.
private struct ProbeOutput: Decodable {
    struct Format: Decodable {
        var name: String
        var duration: String?
        var start: String?
        var tags: [String: String]?

        func tag(_ name: String) -> String? { ProbeOutput.tag(name, in: tags) }

        enum CodingKeys: String, CodingKey {
            case name = "format_name"
            case start = "start_time"
            case duration, tags
        }
    }

    struct Disposition: Decodable {
        var attachedPicture: Int?
        var visualImpaired: Int?
        var hearingImpaired: Int?
        var comment: Int?

        enum CodingKeys: String, CodingKey {
            case attachedPicture = "attached_pic"
            case visualImpaired = "visual_impaired"
            case hearingImpaired = "hearing_impaired"
            case comment
        }
    }

    struct Stream: Decodable {
        var index: Int?
        var codecType: String?
        var codecName: String?
        var configuration: String?
        var width: Int?
        var height: Int?
        var sampleRate: String?
        var channels: Int?
        var start: String?
        var duration: String?
        var frames: String?
        var tags: [String: String]?
        var disposition: Disposition?

        func tag(_ name: String) -> String? { ProbeOutput.tag(name, in: tags) }

        enum CodingKeys: String, CodingKey {
            case codecType = "codec_type"
            case codecName = "codec_name"
            case configuration = "extradata_hash"
            case start = "start_time"
            case sampleRate = "sample_rate"
            case frames = "nb_frames"
            case index, width, height, channels, duration, disposition, tags
        }
    }

    struct Chapter: Decodable {
        var start: String?
        var tags: [String: String]?

        enum CodingKeys: String, CodingKey {
            case start = "start_time"
            case tags
        }
    }

    /// Returns a tag.
    ///
    /// Some formats write the names of tags in capital letters.
    static func tag(_ name: String, in tags: [String: String]?) -> String? {
        tags?.first { $0.key.lowercased() == name }?.value
    }

    var format: Format?
    var streams: [Stream]?
    var chapters: [Chapter]?
}
