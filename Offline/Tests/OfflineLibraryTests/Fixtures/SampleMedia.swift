// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Foundation
import OfflineTestFixtures

/// Media files that ffmpeg creates from its test sources.
enum SampleMedia {
    static let source = [
        "-f", "lavfi", "-i", "testsrc2=size=160x90:rate=10:duration=6",
        "-f", "lavfi", "-i", "sine=frequency=440:duration=6",
        "-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-g", "10", "-c:a", "aac",
    ]

    /// The stream without options, which ffmpeg makes once for all tests of this process.
    private static let stream = Result {
        let folder = try TemporaryFolder()
        try encodeStream(in: folder.path + "/stream", [])
        return folder
    }

    /// Creates `stream.m3u8` with six segments of one second in a folder that does not exist yet.
    static func makeStream(in folder: String, _ options: [String]) throws {
        guard options.isEmpty else { return try encodeStream(in: folder, options) }
        try FileManager.default.copyItem(
            atPath: try stream.get().path + "/stream",
            toPath: folder
        )
    }

    private static func encodeStream(in folder: String, _ options: [String]) throws {
        try FileManager.default.createDirectory(
            atPath: folder,
            withIntermediateDirectories: true
        )
        try run(
            source + [
                "-f", "hls", "-hls_time", "1", "-hls_playlist_type", "vod",
                "-hls_segment_filename", "part%d.ts",
            ] + options + ["stream.m3u8"],
            in: folder
        )
    }

    /// Creates a folder with `master.m3u8`: pictures, and sound in English, German and French.
    ///
    /// The sound begins half a second after the pictures.
    static func makeMaster(in folder: String, _ options: [String]) throws {
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
        try run(
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
    static func copySound(of segments: [String], to path: String) throws {
        try run(
            ["-i", "concat:" + segments.joined(separator: "|"), "-vn", "-c", "copy", path],
            in: "/"
        )
    }

    /// Returns what ffprobe prints for entries of a file, one line for each stream.
    static func entries(
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
    static func convert(
        _ name: String,
        to output: String,
        _ options: [String],
        in folder: String
    ) throws {
        try run(["-i", name] + options + [output], in: folder)
    }

    static func makeFile(_ name: String, in folder: String, _ options: [String] = []) throws {
        try run(source + options + [name], in: folder)
    }

    /// Returns the number of video frames in a file, counted by decoding it.
    static func frames(of path: String) throws -> Int {
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

    private static func run(_ arguments: [String], in folder: String) throws {
        _ = try output("ffmpeg", ["-v", "error", "-y"] + arguments, in: folder)
    }

    private static func output(
        _ tool: String,
        _ arguments: [String],
        in folder: String
    ) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [tool] + arguments
        process.currentDirectoryURL = URL(fileURLWithPath: folder)
        process.standardInput = FileHandle.nullDevice
        let pipe = Pipe()
        process.standardOutput = pipe
        // `waitUntilExit` can miss the end of the process on a busy machine.
        let ended = DispatchSemaphore(value: 0)
        process.terminationHandler = { _ in ended.signal() }
        try process.run()
        let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
        ended.wait()
        guard process.terminationStatus == 0 else { throw CocoaError(.fileWriteUnknown) }
        return String(decoding: data, as: UTF8.self)
    }
}
