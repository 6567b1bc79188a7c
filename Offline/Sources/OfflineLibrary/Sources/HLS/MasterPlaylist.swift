// SPDX-License-Identifier: Apache-2.0
import Tidings
package import TidingsHTTP

/// A list of the renditions of one stream, and of its sound and subtitles beside them.
package struct MasterPlaylist: Hashable, Sendable {
    /// The renditions in the playlist's order; at least one.
    package var renditions: [Rendition]
    /// The sound and the subtitles beside the renditions, in the playlist's order.
    package var alternatives: [AlternativeMedia]
    /// The variables that its media playlists may import.
    package var variables: [String: String] = [:]
    /// The address of the JSON document with the chapters; nil if the playlist names none.
    package var chapters: WebAddress?

    /// Returns the rendition to keep.
    ///
    /// The method ignores audio-only renditions unless there are no others. If no rendition has the
    /// chosen height, it returns the next lower one, else the lowest. Of equal renditions, it
    /// returns the first.
    ///
    /// - Throws: `.noSuchRendition` for a height if the playlist states none.
    package func rendition(_ choice: RenditionChoice) throws(PlaylistError) -> Rendition {
        let withPicture = renditions.filter { !$0.isAudioOnly }
        let candidates = withPicture.isEmpty ? renditions : withPicture
        let sizes = candidates.map {
            PictureSize(width: $0.width, height: $0.height, bandwidth: $0.bandwidth)
        }
        return candidates[try choice.index(among: sizes)]
    }

    /// Returns the sound of a rendition: what it has itself, and the playlists beside it.
    ///
    /// The default comes first.
    func sound(of rendition: Rendition) -> [AlternativeMedia] {
        guard let group = rendition.audioGroup, !rendition.isAudioOnly else { return [] }
        let members = alternatives.filter { $0.kind == .audio && $0.group == group }
        return members.filter(\.isDefault) + members.filter { !$0.isDefault }
    }

    /// Returns the subtitles of a rendition.
    func subtitles(of rendition: Rendition) -> [AlternativeMedia] {
        alternatives.filter { $0.kind == .subtitles && $0.group == rendition.subtitleGroup }
    }
}
