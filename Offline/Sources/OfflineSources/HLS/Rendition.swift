// SPDX-License-Identifier: Apache-2.0
package import TidingsHTTP

/// A variant of the stream with a separate media playlist, a size and a bandwidth.
package struct Rendition: Hashable, Sendable {
    /// The address of the media playlist.
    package var address: WebAddress
    /// The peak bandwidth in bits per second, or 0 if the playlist states none.
    package var bandwidth: Int
    /// The average bandwidth in bits per second.
    package var averageBandwidth: Int?
    /// The width in pixels.
    package var width: Int?
    /// The height in pixels.
    package var height: Int?
    /// The codecs, in the notation of RFC 6381.
    package var codecs: [String]
    /// The frame rate in frames per second.
    package var frameRate: Double?
    /// The name of the audio group, if the rendition has one.
    package var audioGroup: String?
    /// The name of the group of subtitles, if the rendition has one.
    package var subtitleGroup: String?
    /// The name of the group of other pictures, if the rendition has one.
    package var videoGroup: String?

    /// Whether the playlist declares audio and no video.
    package var isAudioOnly: Bool {
        guard height == nil, !codecs.isEmpty else { return false }
        return codecs.allSatisfy { codec in
            let name = codec.prefix { $0 != "." }.lowercased()
            return Self.audioCodecs.contains(name)
        }
    }

    private static let audioCodecs: Set<String> = [
        "mp4a", "ac-3", "ec-3", "ac-4", "opus", "flac", "alac", "mp3", "vorbis",
    ]
}
