// SPDX-License-Identifier: Apache-2.0
import Tidings

/// Combines files that play at the same time into one, without encoding again.
struct TrackCombiner: Sendable {
    /// One of the files.
    struct Input: Hashable {
        /// The absolute path.
        var path: String
        /// The seconds after which it starts to play.
        var delay: Double
        /// The seconds to keep of it; nil for all of them.
        var cut: Range<Double>?
        /// The content to keep of it.
        var description: TrackDescription
        /// Its tracks with sound.
        var soundCount: Int
        /// The number of the track among those of the film, for its name.
        var number = 0
    }

    /// Combines the files; the first sound is the default.
    ///
    /// An existing file is replaced; after an error there is no file.
    ///
    /// - Parameters:
    ///   - inputs: The files, first the one with pictures.
    ///   - output: The absolute path of the file to write.
    ///   - index: Where to write the index of the file.
    /// - Throws: The errors of `Muxer.mux`.
    func combine(
        _ inputs: [Input],
        into output: String,
        index: Muxer.IndexPlace
    ) async throws(MediaError) {
        var total: Int64 = 0
        for input in inputs { total += try OwnedDescriptor.reading(input.path).length(input.path) }
        let child = ChildProcess(
            executable: try MediaTool.ffmpeg.path(),
            arguments: try Self.arguments(inputs) + MovieTags.placeholder + index.arguments
                + ["-f", "mp4", "-y", try MediaFormats.argument(output)],
            limits: Muxer.limits(total)
        )
        try await child.write(output)
    }

    private static func arguments(_ inputs: [Input]) throws(MediaError) -> [String] {
        var arguments = ["-nostdin", "-hide_banner", "-loglevel", "error"]
        var maps: [String] = []
        var sound: [(description: TrackDescription, number: Int)] = []
        for (number, input) in inputs.enumerated() {
            let delay = Int((input.delay * 1_000).rounded())
            arguments += ["-itsoffset", "\(delay)ms"] + MediaFormats.readingOneFile
            if let cut = input.cut {
                arguments += ["-ss", "\(cut.lowerBound)", "-to", "\(cut.upperBound)"]
            }
            arguments += ["-i", try MediaFormats.argument(input.path)]
            if input.description.content != .sound { maps += ["-map", "\(number):V:0?"] }
            if input.description.content != .pictures {
                maps += ["-map", "\(number):a?"]
                let described = (description: input.description, number: input.number)
                sound += Array(repeating: described, count: input.soundCount)
            }
        }
        arguments += maps + ["-c", "copy", "-video_track_timescale", "90000"]
        arguments += ["-disposition:a", "0"]
        arguments += dispositions(sound.isEmpty ? [nil] : sound.map { $0.description.purpose })
        for (number, track) in sound.enumerated() {
            let stream = "-metadata:s:a:\(number)"
            if let language = track.description.language {
                arguments += [stream, "language=\(language)"]
            }
            if track.description.name != nil {
                arguments += [stream, MovieTags.placeholder(ofTrack: track.number)]
            }
        }
        return arguments
    }

    /// Returns the options by which the first sound is the default, and all have their purposes.
    static func dispositions(_ purposes: [TrackPurpose?]) -> [String] {
        purposes.enumerated().flatMap { number, purpose in
            let flags = [number == 0 ? "default" : nil, purpose?.disposition].compactMap { $0 }
            return flags.isEmpty
                ? [] : ["-disposition:a:\(number)", flags.joined(separator: "+")]
        }
    }
}
