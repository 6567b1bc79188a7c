// SPDX-License-Identifier: Apache-2.0

extension Muxer.SegmentContainer {
    /// The options up to and with the input.
    func inputArguments(isStrict: Bool, repairsTime: Bool) -> [String] {
        var arguments = ["-nostdin", "-hide_banner", "-loglevel", "error"]
        // With it ffmpeg would also refuse times that it can repair at a discontinuity. Fragments
        // of MP4 it cannot repair: better no film than a broken one.
        if self == .fragmentedMP4 || (isStrict && !repairsTime) { arguments += ["-xerror"] }
        if isStrict { arguments += ["-err_detect", "explode"] }
        arguments += ["-probesize", "32M", "-analyzeduration", "20M"]
        arguments += ["-protocol_whitelist", "pipe", "-format_whitelist", demuxer]
        return arguments + ["-f", demuxer, "-i", "pipe:0"]
    }

    /// The options between input and output.
    var outputArguments: [String] {
        // Only sound and moving pictures: timed tags and teletext have no place in an MP4, and a
        // cover is no film.
        let streams = isSoundOnly ? ["-map", "0:a:0"] : ["-map", "0:V:0?", "-map", "0:a?"]
        return streams + ["-c", "copy", "-movflags", "+faststart", "-f", "mp4"]
    }

    /// What is changed in the segments on their way.
    func filter(discontinuities: Set<Int>, check: Bool) -> SegmentFilter {
        switch self {
        case .mpegTS: .transportStream(discontinuities: discontinuities, check: check)
        case .fragmentedMP4: .none
        case .aac, .mp3: .packedAudio
        }
    }

    private var isSoundOnly: Bool { self == .aac || self == .mp3 }

    private var demuxer: String {
        switch self {
        case .mpegTS: "mpegts"
        case .fragmentedMP4: "mov"
        case .aac: "aac"
        case .mp3: "mp3"
        }
    }
}
