// SPDX-License-Identifier: Apache-2.0
package import TidingsHTTP

/// Sound, text or other pictures that a stream offers beside its renditions (EXT-X-MEDIA).
package struct AlternativeMedia: Hashable, Sendable {
    /// The types of the format; others are ignored.
    package enum Kind: String, Hashable, Sendable {
        case audio = "AUDIO"
        case subtitles = "SUBTITLES"
        /// Another angle, which is not kept.
        case video = "VIDEO"
    }

    /// The type.
    package var kind: Kind
    /// The group to which a rendition refers.
    package var group: String
    /// The language as the playlist names it, such as `en-US`.
    package var language: String?
    /// The name for the user.
    package var name: String
    /// The media playlist; nil if the media is part of the rendition.
    package var address: WebAddress?
    /// Whether the address is no web address, so that the media cannot be kept.
    package var isForbidden = false
    /// Whether a player plays it unless the user chooses otherwise.
    package var isDefault: Bool
    /// Whether subtitles translate only what viewers of the original language understand, too.
    package var isForced = false
    /// The purpose beside other media of the language; nil for usual ones.
    package var purpose: TrackPurpose?
}
