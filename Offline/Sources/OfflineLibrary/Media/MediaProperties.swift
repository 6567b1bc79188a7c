// SPDX-License-Identifier: Apache-2.0

/// The properties of a media file.
package struct MediaProperties: Hashable, Sendable {
    /// The duration in seconds; nil if the file does not state it.
    package var duration: Double?
    /// The width of the video in pixels.
    package var width: Int?
    /// The height of the video in pixels.
    package var height: Int?
    /// The codec of the video, by ffmpeg's name.
    package var videoCodec: String?
    /// The codec of the first audio stream, by ffmpeg's name.
    package var audioCodec: String?
    /// The container format, by ffmpeg's name.
    package var container: String

    /// Whether the file has a video stream; cover art does not count.
    package var hasVideo: Bool { videoCodec != nil }
    /// Whether the file has an audio stream.
    package var hasAudio: Bool { audioCodec != nil }
}
