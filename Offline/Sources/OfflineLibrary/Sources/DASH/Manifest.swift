// SPDX-License-Identifier: Apache-2.0
import TidingsHTTP

/// The description of a DASH stream (MPD) that has ended.
package struct Manifest: Hashable, Sendable {
    /// The periods in order; at least one, each with representations.
    var periods: [Period]
    /// The title that the manifest states, one line; nil without one.
    var title: String?

    /// A part of the stream in which the tracks do not change.
    struct Period: Hashable, Sendable {
        /// The duration in seconds; nil if the manifest does not state it.
        var duration: Double?
        /// The pictures, sounds and texts.
        var sets: [AdaptationSet]
    }
}

/// Representations of the same content, of which a player plays one.
struct AdaptationSet: Hashable, Sendable {
    /// The kind of its content.
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
    /// At least one.
    var representations: [Representation]
}

/// One version of a content, such as a size of the pictures.
struct Representation: Hashable, Sendable {
    /// The identifier for templates.
    var id: String
    /// The bandwidth in bits per second; 0 if the manifest does not state it.
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
    /// The names of the systems that protect it.
    var protections: [String]
    /// The address against which its segments resolve.
    var base: WebAddress
    /// Whether the manifest names an address besides its own.
    var hasOwnAddress: Bool
    /// The segments.
    var segments: SegmentInformation

    /// Whether the segments are in a container that this program joins.
    var isJoinable: Bool {
        ["video/mp4", "audio/mp4", "video/mp2t", "application/mp4", ""].contains(mediaType)
    }
}
