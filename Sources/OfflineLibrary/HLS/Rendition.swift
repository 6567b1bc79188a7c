// SPDX-License-Identifier: Apache-2.0
package import TidingsHTTP

/// One way to get the whole stream: a media playlist of a certain size and bandwidth.
package struct Rendition: Hashable, Sendable {
    /// The address of the media playlist.
    package var address: WebAddress
    /// The highest bits per second; 0 if the playlist does not say.
    package var bandwidth: Int
    /// The average bits per second.
    package var averageBandwidth: Int?
    /// The width in pixels.
    package var width: Int?
    /// The height in pixels.
    package var height: Int?
    /// The codecs, in the words of RFC 6381.
    package var codecs: [String]
    /// The pictures per second.
    package var frameRate: Double?
    /// The name of the group that holds the sound, if there is one.
    package var audioGroup: String?
    /// Whether its sound is to be had only as a stream of its own.
    package var hasSeparateAudio: Bool

    /// Whether the playlist says that there is sound and no picture.
    package var isAudioOnly: Bool {
        guard height == nil, !codecs.isEmpty else { return false }
        return codecs.allSatisfy { codec in
            let name = codec.prefix { $0 != "." }.lowercased()
            return Self.soundCodecs.contains(name)
        }
    }

    private static let soundCodecs: Set<String> = [
        "mp4a", "ac-3", "ec-3", "ac-4", "opus", "flac", "alac", "mp3", "vorbis",
    ]
}
