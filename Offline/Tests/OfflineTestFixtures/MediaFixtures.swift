// SPDX-License-Identifier: Apache-2.0
import Foundation
package import OfflineMedia

/// A temporary folder with media from ffmpeg's test sources, removed with this object.
package final class MediaFolder: Sendable {
    /// The path of the folder.
    package let path: String

    /// Creates an empty folder.
    package init() throws {
        path = NSTemporaryDirectory() + "tidings-media-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Returns the path of a file.
    package func file(_ name: String) -> String {
        path + "/" + name
    }

    /// Writes a string to a file and returns the path.
    package func write(_ text: String, to name: String) throws -> String {
        try write([UInt8](text.utf8), to: name)
    }

    /// Writes bytes to a file and returns the path.
    package func write(_ bytes: [UInt8], to name: String) throws -> String {
        try Data(bytes).write(to: URL(fileURLWithPath: file(name)))
        return file(name)
    }

    /// Returns the content of a file.
    package func bytes(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(fileURLWithPath: file(name))))
    }

    /// Returns whether a file exists.
    package func has(_ name: String) -> Bool {
        FileManager.default.fileExists(atPath: file(name))
    }

    /// Runs a program in this folder and returns the output, or throws if the program fails.
    @discardableResult
    package func run(_ name: String, _ arguments: [String]) async throws -> String {
        let child = ChildProcess(
            executable: try MediaTool(name: name).path(),
            arguments: arguments,
            directory: path
        )
        let result = try await child.run()
        if let error = MediaError(result, of: name) { throw error }
        return String(decoding: result.output, as: UTF8.self)
    }

    /// Creates segments with video and audio whose names start with `name`.
    ///
    /// - Returns: The paths of the segments, after the initialization section if there is one.
    package func makeStream(
        _ name: String,
        seconds: Int = 4,
        options: [String] = [],
        picture: String = "testsrc=size=160x90:rate=25"
    ) async throws -> [String] {
        let isFragmented = options.contains("fmp4")
        let ending = isFragmented ? "m4s" : "ts"
        let arguments =
            ["-f", "lavfi", "-i", picture]
            + ["-f", "lavfi", "-i", "sine=frequency=440:sample_rate=44100", "-t", "\(seconds)"]
            + ["-c:v", "libx264", "-preset", "ultrafast", "-threads", "1", "-g", "25"]
            + ["-pix_fmt", "yuv420p", "-c:a", "aac", "-f", "hls", "-hls_time", "1"]
            + ["-hls_playlist_type", "vod"] + options
            + ["-hls_segment_filename", "\(name)%03d.\(ending)", "\(name).m3u8"]
        try SampleMedia.make(arguments, in: path)
        let playlist = String(decoding: try bytes("\(name).m3u8"), as: UTF8.self)
        let segments = playlist.split(separator: "\n").filter { !$0.hasPrefix("#") }
        return (isFragmented ? [file("init.mp4")] : []) + segments.map { file(String($0)) }
    }

    /// Creates a video file.
    package func makeVideo(_ name: String, seconds: Int = 2) async throws -> String {
        let arguments =
            [
                "-f", "lavfi", "-i", "testsrc=size=640x360:rate=25", "-f", "lavfi", "-i",
                "sine=frequency=440",
            ]
            + ["-t", "\(seconds)", "-c:v", "libx264", "-preset", "ultrafast", "-threads", "1"]
            + ["-pix_fmt", "yuv420p", "-c:a", "aac", "video.mp4"]
        let made = try SampleMedia.made(arguments)
        try MadeMedia.copy("\(made)/video.mp4", to: file(name))
        return file(name)
    }

    /// Returns the number of video and audio packets in a file.
    package func packets(_ path: String) async throws -> [String: Int] {
        let output = try await run(
            "ffprobe",
            ["-loglevel", "error", "-count_packets", "-of", "csv=p=0", "-show_entries"]
                + ["stream=codec_type,nb_read_packets", path]
        )
        var counts: [String: Int] = [:]
        for line in output.split(separator: "\n") {
            let fields = line.split(separator: ",")
            if fields.count >= 2 { counts[String(fields[0]), default: 0] += Int(fields[1]) ?? 0 }
        }
        return counts
    }
}

/// Returns the media error that `body` throws, or nil if `body` throws no error or another type.
package func mediaError(_ body: () async throws -> Void) async -> MediaError? {
    do {
        try await body()
        return nil
    } catch {
        return error as? MediaError
    }
}
