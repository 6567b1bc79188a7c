// SPDX-License-Identifier: Apache-2.0
package import OfflineModel

/// The properties of a media file.
package struct MediaProperties: Hashable, Sendable {
    /// The duration in seconds, or nil if the file states none.
    package var duration: Double?
    /// The time in seconds at which the media starts, or 0 if the file states none.
    package var start = 0.0
    /// The tracks with video and audio, in the order of the file.
    package var tracks: [MediaTrack]
    /// The container format, by ffmpeg's name.
    package var container: String
    /// The chapters in order.
    package var chapters: [Chapter] = []
    /// The title in the tags as one line, or nil without a title.
    package var title: String?

    /// The first track with video.
    package var video: MediaTrack? { tracks.first { $0.kind == .video } }
    /// The first track with audio.
    package var audio: MediaTrack? { tracks.first { $0.kind == .audio } }
}
