// SPDX-License-Identifier: Apache-2.0
import TidingsHTTP

/// The description of a DASH stream (MPD) that has ended.
package struct Manifest: Hashable, Sendable {
    /// The periods in order.
    ///
    /// There is at least one period, and each period has representations.
    var periods: [Period]
    /// The title that the manifest states as one line, or nil without a title.
    var title: String?

    /// A part of the stream in which the tracks do not change.
    struct Period: Hashable, Sendable {
        /// The duration in seconds, or nil if the manifest does not state the duration.
        var duration: Double?
        /// The pictures, the sound and the subtitles.
        var sets: [AdaptationSet]
    }
}

/// Representations of the same content.
///
/// A player plays one of these representations.
struct AdaptationSet: Hashable, Sendable {
    /// The kind of the content.
    enum Kind: Hashable, Sendable {
        case video
        case audio
        case text
    }

    /// The kind.
    var kind: Kind
    /// The language as the manifest names it, such as `en-US`.
    var language: String?
    /// The name for the user.
    var label: String?
    /// The roles, such as `main` or `commentary`.
    var roles: Set<String> = []
    /// The representations, of which there is at least one.
    var representations: [Representation]
}

/// One version of a content, such as a size of the pictures.
struct Representation: Hashable, Sendable {
    /// The identifier for templates.
    var id: String
    /// The bandwidth in bits per second, or 0 if the manifest does not state the bandwidth.
    var bandwidth: Int
    /// The width in pixels.
    var width: Int?
    /// The height in pixels.
    var height: Int?
    /// The number of channels of sound.
    var channels: Int?
    /// The codecs, in the notation of RFC 6381.
    var codecs: [String]
    /// The media type in lowercase, without parameters.
    var mediaType: String
    /// The names of the systems that protect the representation.
    var protections: [String]
    /// The address against which the segments resolve.
    var base: WebAddress
    /// Whether the manifest states an address besides the address of the manifest.
    var hasOwnAddress: Bool
    /// The segments.
    var segments: SegmentInformation

    /// Whether the segments are in a container that this program joins.
    var isJoinable: Bool {
        ["video/mp4", "audio/mp4", "video/mp2t", "application/mp4", ""].contains(mediaType)
    }
}
