// SPDX-License-Identifier: Apache-2.0

/// What a media file holds.
package struct MediaFacts: Hashable, Sendable {
    /// The seconds it plays; nil if the file does not tell.
    package var duration: Double?
    /// The width of its picture in pixels.
    package var width: Int?
    /// The height of its picture in pixels.
    package var height: Int?
    /// The codec of its picture, in ffmpeg's word.
    package var videoCodec: String?
    /// The codec of its first sound, in ffmpeg's word.
    package var audioCodec: String?
    /// The container, in ffmpeg's word.
    package var container: String

    /// Whether there is a moving picture; a cover is none.
    package var hasVideo: Bool { videoCodec != nil }
    /// Whether there is sound.
    package var hasAudio: Bool { audioCodec != nil }
}
