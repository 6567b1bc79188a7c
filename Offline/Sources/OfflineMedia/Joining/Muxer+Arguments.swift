// SPDX-License-Identifier: Apache-2.0

extension Muxer.SegmentContainer {
    /// Returns the options up to and including the input.
    ///
    /// - Parameters:
    ///   - file: The argument of the only segment, which ffmpeg opens directly, or nil for a pipe.
    ///   - isStrict: Whether signs of damage are an error.
    /// - Returns: The options.
    func inputArguments(from file: String?, isStrict: Bool) -> [String] {
        var arguments = ["-nostdin", "-hide_banner", "-loglevel", "error"]
        // ffmpeg cannot repair MP4 fragments, and no file is better than a broken file.
        if self == .fragmentedMP4 || isStrict { arguments += ["-xerror"] }
        if isStrict { arguments += ["-err_detect", "explode"] }
        arguments += ["-probesize", "32M", "-analyzeduration", "20M"]
        arguments += ["-protocol_whitelist", file == nil ? "pipe" : "file"]
        arguments += ["-format_whitelist", demuxer]
        return arguments + ["-f", demuxer, "-i", file ?? "pipe:0"]
    }

    /// The options between input and output.
    var outputArguments: [String] {
        // The output contains only audio and video, because an MP4 cannot hold timed metadata or
        // teletext, and cover art is not video.
        let streams = isPacked ? ["-map", "0:a:0"] : ["-map", "0:V:0?", "-map", "0:a?"]
        // Files can only be joined if their timescales are equal.
        return streams + ["-c", "copy", "-video_track_timescale", "90000"]
    }

    /// Returns the filter to apply to the segments.
    func filter(check: Bool) -> SegmentFilter {
        switch self {
        case .mpegTS: .transportStream(check: check)
        case .fragmentedMP4: .none
        case .aac, .mp3: .packedAudio
        }
    }

    /// Whether the segments are frames of audio without times.
    package var isPacked: Bool { self == .aac || self == .mp3 }

    private var demuxer: String {
        switch self {
        case .mpegTS: "mpegts"
        case .fragmentedMP4: "mov"
        case .aac: "aac"
        case .mp3: "mp3"
        }
    }
}
