// SPDX-License-Identifier: Apache-2.0
package import OfflineModel
import Tidings

/// Combines files that play at the same time into one file, without encoding again.
package struct TrackCombiner: Sendable {
    /// Creates a combiner.
    package init() {}

    /// One of the files.
    package struct Input: Hashable {
        /// The absolute path.
        var path: String
        /// The seconds after which the file starts to play.
        package var delay: Double
        /// The seconds of the file to keep, or nil for the whole file.
        var cut: Range<Double>?
        /// The content of the file to keep.
        package var description: TrackDescription
        /// The number of the file's tracks with sound.
        var soundCount: Int
        /// The number of the track among the tracks of the film, for the placeholder of the name.
        var number = 0

        /// Creates an input.
        package init(
            path: String,
            delay: Double,
            cut: Range<Double>? = nil,
            description: TrackDescription,
            soundCount: Int,
            number: Int = 0
        ) {
            self.path = path
            self.delay = delay
            self.cut = cut
            self.description = description
            self.soundCount = soundCount
            self.number = number
        }
    }

    /// Combines the files, with the first sound as the default.
    ///
    /// The method replaces an existing file. After an error the output does not exist.
    ///
    /// - Parameters:
    ///   - inputs: The files, of which the first one has the pictures.
    ///   - output: The absolute path of the file to write.
    ///   - index: Where to write the index of the file.
    /// - Throws: The errors of `Muxer.mux`.
    package func combine(
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

    /// Returns the options that make the first sound the default and state the purpose of each
    /// sound.
    static func dispositions(_ purposes: [TrackPurpose?]) -> [String] {
        purposes.enumerated().flatMap { number, purpose in
            let flags = [number == 0 ? "default" : nil, purpose?.disposition].compactMap { $0 }
            return flags.isEmpty
                ? [] : ["-disposition:a:\(number)", flags.joined(separator: "+")]
        }
    }
}
