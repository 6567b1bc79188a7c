import Foundation
// SPDX-License-Identifier: Apache-2.0
import Tidings

/// Makes a small picture of a media file, by ffmpeg.
package struct Thumbnailer: Sendable {
    private let searchPath: String?

    /// Creates a thumbnailer.
    ///
    /// - Parameter searchPath: Where to look for ffmpeg, in place of the environment's `PATH`.
    package init(searchPath: String? = nil) {
        self.searchPath = searchPath
    }

    /// Makes a JPEG of the picture at a time, or of the first one if the film is shorter.
    ///
    /// A sound file's cover serves too. The JPEG appears whole or not at all.
    ///
    /// - Parameters:
    ///   - path: The absolute path of the media file.
    ///   - seconds: The time in the film.
    ///   - picture: The absolute path of the JPEG, which is replaced.
    ///   - maxWidth: The most pixels it is wide; a smaller film keeps its size.
    /// - Throws: `.notMedia` if there is no picture in the file.
    package func makePicture(
        of path: String,
        at seconds: Double,
        into picture: String,
        maxWidth: Int = 480
    ) async throws(MediaError) {
        let part = picture + ".part"
        defer { unlink(part) }
        let time = seconds.isFinite ? min(max(seconds, 0), 1e7) : 0
        for milliseconds in Set([Int(time * 1000), 0]).sorted(by: >) {
            try await run(path, milliseconds, part, maxWidth)
            guard try Self.isPicture(part) else { continue }
            guard rename(part, picture) == 0 else {
                throw MediaError(.cannotRead, "The picture cannot be moved to its place.")
            }
            return
        }
        throw MediaError(.notMedia, "The file holds no picture.")
    }

    private func run(
        _ path: String,
        _ milliseconds: Int,
        _ part: String,
        _ maxWidth: Int
    ) async throws(MediaError) {
        _ = try Descriptor.reading(path)
        unlink(part)
        var limits = ChildProcess.Limits()
        limits.cpuSeconds = 30
        limits.wallClock = .seconds(60)
        let child = ChildProcess(
            executable: try MediaTool.ffmpeg.path(in: searchPath),
            arguments: ["-nostdin", "-hide_banner", "-loglevel", "error", "-threads", "1"]
                + MediaFormats.readingOneFile + [
                    "-ss", "\(milliseconds)ms", "-i", try MediaFormats.argument(path),
                    "-map", "0:v:0", "-frames:v", "1", "-threads", "1",
                    "-vf", "scale='min(\(max(maxWidth, 16)),iw)':-2",
                    "-pix_fmt", "yuvj420p", "-q:v", "4", "-f", "mjpeg",
                    "-y", try MediaFormats.argument(part),
                ],
            limits: limits
        )
        if let error = MediaError(try await child.run(), of: "ffmpeg") { throw error }
    }

    /// Whether ffmpeg has written one: beyond the film's end it writes nothing and says nothing.
    private static func isPicture(_ path: String) throws(MediaError) -> Bool {
        guard access(path, F_OK) == 0 else { return false }
        return try Descriptor.reading(path).bytes(3, path: path) == [0xff, 0xd8, 0xff]
    }
}
