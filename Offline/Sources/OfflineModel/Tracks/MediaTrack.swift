// SPDX-License-Identifier: Apache-2.0

/// A track of a media file.
package struct MediaTrack: Hashable, Sendable {
    /// The kind of a track.
    package enum Kind: String, Hashable, Sendable {
        /// Pictures. Cover art is not a track.
        case video
        /// Sound.
        case audio
    }

    /// The kind of the track.
    package var kind: Kind
    /// The codec, by ffmpeg's name.
    package var codec: String
    /// The language, such as `eng`, or nil if the file states none.
    package var language: String?
    /// A string that is equal for tracks whose decoders need the same parameters, or nil if
    /// unknown.
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
    /// The duration in seconds, or nil if the file states none.
    package var duration: Double?
    /// The number of frames, or nil if the file states none.
    package var frames: Int?
    /// The name for viewers, or nil without a name.
    package var name: String?
    /// The purpose beside other tracks of the language, or nil for a usual track.
    package var purpose: TrackPurpose?
    /// The number among all streams of the file, counted from 0, or nil if unknown.
    package var index: Int?

    /// Creates a track.
    package init(
        kind: Kind,
        codec: String,
        language: String? = nil,
        configuration: String? = nil,
        width: Int? = nil,
        height: Int? = nil,
        sampleRate: Int? = nil,
        channels: Int? = nil,
        start: Double? = nil,
        duration: Double? = nil,
        frames: Int? = nil,
        name: String? = nil,
        purpose: TrackPurpose? = nil,
        index: Int? = nil
    ) {
        self.kind = kind
        self.codec = codec
        self.language = language
        self.configuration = configuration
        self.width = width
        self.height = height
        self.sampleRate = sampleRate
        self.channels = channels
        self.start = start
        self.duration = duration
        self.frames = frames
        self.name = name
        self.purpose = purpose
        self.index = index
    }
}
