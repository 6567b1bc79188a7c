// SPDX-License-Identifier: Apache-2.0

/// Decodes MP4 fragments with their initialization section, to count the frames.
struct FragmentDecoder {
    /// The frames that a decoder returns.
    struct Result {
        /// The number of frames of each kind.
        var frames: [MediaTrack.Kind: Int] = [:]
        /// Whether the decoder reported an error.
        var complains = false
    }

    /// The way to decode.
    enum Mode {
        /// Decodes only key frames, and drops those with any error.
        case keyFrames
        /// Decodes all frames, and returns those that lack others, too.
        case allFrames
    }

    /// The path of the initialization section.
    let header: String
    private static let kinds: [(kind: MediaTrack.Kind, map: String)] = [
        (.video, "0:V:0?"), (.audio, "0:a?"),
    ]

    /// Decodes segments.
    ///
    /// - Parameters:
    ///   - segments: The paths in order; they need not follow each other.
    ///   - kinds: The kinds of tracks to decode.
    ///   - mode: The way to decode pictures.
    /// - Returns: The result; nil if the decoder was stopped, which shows nothing.
    /// - Throws: `.cancelled` or `.toolMissing`.
    func decode(
        _ segments: [String],
        _ kinds: Set<MediaTrack.Kind>,
        _ mode: Mode = .keyFrames
    ) async throws(MediaError) -> Result? {
        var result = Result()
        // The output does not show the kind of a track, so each kind has a process.
        for (kind, map) in Self.kinds where kinds.contains(kind) {
            guard let run = try await run(segments, map, mode) else { return nil }
            result.frames[kind] = run.frames
            result.complains = result.complains || run.complains
        }
        return result
    }

    private func run(
        _ segments: [String],
        _ map: String,
        _ mode: Mode
    ) async throws(MediaError) -> (frames: Int, complains: Bool)? {
        var arguments = ["-nostdin", "-hide_banner", "-loglevel", "error", "-threads", "2"]
        switch mode {
        case .keyFrames: arguments += ["-err_detect", "explode", "-skip_frame", "nokey"]
        case .allFrames: arguments += ["-flags", "output_corrupt"]
        }
        arguments += ["-probesize", "32M", "-protocol_whitelist", "pipe"]
        arguments += ["-format_whitelist", "mov", "-f", "mov", "-i", "pipe:0", "-map", map]
        var child = ChildProcess(
            executable: try MediaTool.ffmpeg.path(),
            arguments: arguments + ["-f", "framecrc", "pipe:1"],
            input: .files([header] + segments)
        )
        child.limits.fileBytes = 0
        child.limits.outputBytes = 16 << 20
        do throws(MediaError) {
            let result = try await child.run()
            guard case .exited = result.status else { return nil }
            let lines = result.output.split(separator: UInt8(ascii: "\n"))
            let frames = lines.count { $0.first != UInt8(ascii: "#") }
            return (frames, !result.errorTail.isEmpty)
        } catch {
            guard error.code == .timedOut || error.code == .cannotRead else { throw error }
            return nil
        }
    }
}
