// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tidings

/// Extracts a small picture from a media file with ffmpeg.
package struct Thumbnailer: Sendable {
    private let searchPath: String?
    private let isUrgent: Bool

    /// Creates a thumbnailer.
    ///
    /// - Parameters:
    ///   - searchPath: The folders to search for ffmpeg, or nil for the environment's `PATH`.
    ///   - isUrgent: Whether ffmpeg gets a full share of the processor. Otherwise ffmpeg gets only
    ///     the time that no other program needs.
    package init(searchPath: String? = nil, isUrgent: Bool = true) {
        self.searchPath = searchPath
        self.isUrgent = isUrgent
    }

    /// Writes a JPEG of the frame at a time, or of the first frame if the video is shorter.
    ///
    /// For an audio file, the method uses the cover art. The JPEG appears complete or not at all.
    ///
    /// - Parameters:
    ///   - path: The absolute path of the media file.
    ///   - formats: The options that restrict ffmpeg to that file.
    ///   - seconds: The time of the frame.
    ///   - picture: The absolute path of the JPEG, which replaces an existing file.
    ///   - maxWidth: The largest width in pixels. A smaller video keeps its size.
    /// - Throws: `.notMedia` if the file contains no picture.
    func makePicture(
        of path: String,
        reading formats: [String] = MediaFormats.readingOneFile,
        at seconds: Double,
        into picture: String,
        maxWidth: Int = 480
    ) async throws(MediaError) {
        let part = picture + ".part"
        defer { unlink(part) }
        let time = seconds.isFinite ? min(max(seconds, 0), 1e7) : 0
        for milliseconds in Set([Int(time * 1000), 0]).sorted(by: >) {
            try await run(path, formats, at: milliseconds, into: part, maxWidth: maxWidth)
            guard try Self.isPicture(part) else { continue }
            guard rename(part, picture) == 0 else {
                throw MediaError(.cannotRead, "The picture cannot be moved to its final name.")
            }
            return
        }
        throw MediaError(.notMedia, "The file contains no picture.")
    }

    private func run(
        _ path: String,
        _ formats: [String],
        at milliseconds: Int,
        into part: String,
        maxWidth: Int
    ) async throws(MediaError) {
        _ = try OwnedDescriptor.reading(path)
        unlink(part)
        var limits = ChildProcess.Limits()
        limits.cpuSeconds = 30
        limits.wallClock = .seconds(60)
        var child = ChildProcess(
            executable: try MediaTool.ffmpeg.path(in: searchPath),
            arguments: ["-nostdin", "-hide_banner", "-loglevel", "error", "-threads", "1"]
                + formats + [
                    "-ss", "\(milliseconds)ms", "-i", try MediaFormats.argument(path),
                    "-map", "0:v:0", "-frames:v", "1", "-threads", "1",
                    "-vf", "scale='min(\(max(maxWidth, 16)),iw)':-2",
                    "-pix_fmt", "yuvj420p", "-q:v", "4", "-f", "mjpeg",
                    "-y", try MediaFormats.argument(part),
                ],
            limits: limits
        )
        if !isUrgent { child.niceness = ChildProcess.lowestPriority }
        if let error = MediaError(try await child.run(), of: "ffmpeg") { throw error }
    }

    /// Returns whether ffmpeg has written a JPEG.
    ///
    /// For a time beyond the end of the video, ffmpeg writes no file and reports no error.
    private static func isPicture(_ path: String) throws(MediaError) -> Bool {
        guard access(path, F_OK) == 0 else { return false }
        return try OwnedDescriptor.reading(path).bytes(3, path: path) == [0xff, 0xd8, 0xff]
    }
}
