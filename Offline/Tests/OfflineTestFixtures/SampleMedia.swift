// SPDX-License-Identifier: Apache-2.0
import Foundation
import TidingsCoreFixtures

/// Media files that ffmpeg creates from test sources.
package enum SampleMedia {
    /// The arguments for a film of six seconds with sound.
    package static let source = [
        "-f", "lavfi", "-i", "testsrc2=size=160x90:rate=10:duration=6",
        "-f", "lavfi", "-i", "sine=frequency=440:duration=6",
        "-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-g", "10", "-c:a", "aac",
    ]

    /// Creates `stream.m3u8` with six segments of one second.
    package static func makeStream(in folder: String, _ options: [String]) throws {
        try FileManager.default.createDirectory(
            atPath: folder,
            withIntermediateDirectories: true
        )
        try make(
            source + [
                "-f", "hls", "-hls_time", "1", "-hls_playlist_type", "vod",
                "-hls_segment_filename", "part%d.ts",
            ] + options + ["stream.m3u8"],
            in: folder
        )
    }

    /// Creates a folder with `master.m3u8`: pictures, and sound in English, German and French.
    ///
    /// The sound starts half a second after the pictures.
    package static func makeMaster(in folder: String, _ options: [String]) throws {
        try FileManager.default.createDirectory(
            atPath: folder,
            withIntermediateDirectories: true
        )
        let languages = ["en", "de", "fr"]
        let sound = languages.enumerated().flatMap { number, _ in
            [
                "-itsoffset", "0.5", "-f", "lavfi", "-i",
                "sine=frequency=\(440 * (number + 1)):duration=5.5",
            ]
        }
        let streams = languages.enumerated().map { number, language in
            "a:\(number),agroup:sound,language:\(language)" + (number == 0 ? ",default:yes" : "")
        }
        try make(
            ["-f", "lavfi", "-i", "testsrc2=size=160x90:rate=10:duration=6"] + sound
                + ["-map", "0", "-map", "1", "-map", "2", "-map", "3"]
                + ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-g", "10"]
                + ["-c:a", "aac", "-f", "hls", "-hls_time", "1", "-hls_playlist_type", "vod"]
                + ["-var_stream_map", (["v:0,agroup:sound"] + streams).joined(separator: " ")]
                + ["-master_pl_name", "master.m3u8", "-hls_segment_filename", "part%v-%d.x"]
                + options + ["list%v.m3u8"],
            in: folder
        )
    }

    /// Writes the sound of transport stream segments as packed AAC.
    package static func copySound(of segments: [String], to path: String) throws {
        try run(
            ["-i", "concat:" + segments.joined(separator: "|"), "-vn", "-c", "copy", path],
            in: "/"
        )
    }

    /// Returns the output of ffprobe for entries of a file, one line for each stream.
    package static func entries(
        _ entries: String,
        of path: String,
        _ options: [String] = []
    ) throws -> [String] {
        try output(
            "ffprobe",
            ["-v", "error"] + options + ["-show_entries", entries, "-of", "csv=p=0", path],
            in: "/"
        ).split(separator: "\n").map(String.init)
    }

    /// Writes a file in another container with these options.
    package static func convert(
        _ name: String,
        to output: String,
        _ options: [String],
        in folder: String
    ) throws {
        try run(["-i", name] + options + [output], in: folder)
    }

    /// Creates a file of six seconds.
    package static func makeFile(_ name: String, in folder: String, _ options: [String] = []) throws
    {
        let made = "sample.\(URL(filePath: name).pathExtension)"
        let source = try self.made(source + options + [made])
        try MadeMedia.copy("\(source)/\(made)", to: "\(folder)/\(name)")
    }

    /// Decodes a file and returns the number of video frames.
    package static func frames(of path: String) throws -> Int {
        let text = try output(
            "ffprobe",
            [
                "-v", "error", "-count_frames", "-select_streams", "v:0", "-show_entries",
                "stream=nb_read_frames", "-of", "csv=p=0", path,
            ],
            in: "/"
        )
        return Int(text.trimmingCharacters(in: .whitespacesAndNewlines)) ?? -1
    }

    /// Makes files of ffmpeg's test sources in a folder.
    package static func make(_ arguments: [String], in folder: String) throws {
        // The key of an encrypted stream is a file of the folder.
        if arguments.contains("-hls_key_info_file") { return try run(arguments, in: folder) }
        try MadeMedia.copy(from: made(arguments), to: folder)
    }

    /// Returns a folder with the files that ffmpeg makes of test sources.
    package static func made(_ arguments: [String]) throws -> String {
        try MadeMedia.folder(of: arguments) { try run(arguments, in: $0) }
    }

    private static func run(_ arguments: [String], in folder: String) throws {
        _ = try output("ffmpeg", ["-v", "error", "-y"] + arguments, in: folder)
    }

    private static func output(
        _ tool: String,
        _ arguments: [String],
        in folder: String
    ) throws -> String {
        try ChildProgram.output(of: [tool] + arguments, in: folder)
    }
}
