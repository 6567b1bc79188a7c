// SPDX-License-Identifier: Apache-2.0
package import OfflineModel
package import TidingsHTTP

/// Sound, text or other pictures that a stream offers beside its renditions (EXT-X-MEDIA).
package struct AlternativeMedia: Hashable, Sendable {
    /// The types of the format.
    ///
    /// Other types are ignored.
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
    /// The media playlist, or nil if the media is part of the rendition.
    package var address: WebAddress?
    /// Whether the address is not a web address, so that the media cannot be kept.
    package var isForbidden = false
    /// Whether a player plays the media unless the user chooses otherwise.
    package var isDefault: Bool
    /// Whether the subtitles cover only passages that viewers of the original language also read.
    package var isForced = false
    /// The purpose beside other media of the language, or nil for usual media.
    package var purpose: TrackPurpose?
}
