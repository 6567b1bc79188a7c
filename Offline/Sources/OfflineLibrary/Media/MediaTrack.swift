// SPDX-License-Identifier: Apache-2.0

/// A track of a media file.
package struct MediaTrack: Hashable, Sendable {
    /// The kind of a track.
    package enum Kind: String, Hashable, Sendable {
        /// Pictures; cover art is no track.
        case video
        /// Sound.
        case audio
    }

    /// The kind of the track.
    package var kind: Kind
    /// The codec, by ffmpeg's name.
    package var codec: String
    /// The language, such as `eng`; nil if the file states none.
    package var language: String?
    /// A text that is equal for tracks whose decoders need the same parameters; nil if unknown.
    package var configuration: String?
    /// The width of the video in pixels.
    package var width: Int?
    /// The height of the video in pixels.
    package var height: Int?
    /// The samples of the audio per second.
    package var sampleRate: Int?
    /// The number of the audio's channels.
    package var channels: Int?
    /// The time in seconds at which the track starts.
    package var start: Double?
    /// The duration in seconds; nil if the file does not state it.
    package var duration: Double?
    /// The number of frames; nil if the file does not state it.
    package var frames: Int?
    /// The name for a person; nil without one.
    package var name: String?
    /// The purpose beside other tracks of the language; nil for a usual track.
    package var purpose: TrackPurpose?
    /// The number among all streams of the file, from 0; nil if unknown.
    package var index: Int?
}
