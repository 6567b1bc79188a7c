// SPDX-License-Identifier: Apache-2.0
import Tidings
package import TidingsHTTP

/// A list of the renditions of one stream, and of its sound and subtitles beside them.
package struct MasterPlaylist: Hashable, Sendable {
    /// The renditions in the playlist's order; none if it lists subtitles alone.
    package var renditions: [Rendition]
    /// The sound and the subtitles beside the renditions, in the playlist's order.
    package var alternatives: [AlternativeMedia]
    /// The variables that its media playlists may import.
    package var variables: [String: String] = [:]
    /// The address of the JSON document with the chapters; nil if the playlist names none.
    package var chapters: WebAddress?
    /// The title that the playlist states, one line; nil without one.
    package var title: String?

    /// Returns the rendition to keep.
    ///
    /// The method ignores audio-only renditions unless there are no others. If no rendition has the
    /// chosen height, it returns the next lower one, else the lowest. Of equal renditions, it
    /// returns the first. For the sound alone, it prefers a rendition with separate sound, then one
    /// without pictures, then the one with the lowest bandwidth.
    ///
    /// - Throws: `.noSuchQuality` for a height if the playlist states none, and `.empty` if it
    ///   lists subtitles alone.
    package func rendition(_ choice: QualityChoice) throws(PlaylistError) -> Rendition {
        guard !renditions.isEmpty else {
            throw PlaylistError(.empty, "The playlist lists subtitles alone. Try again later.")
        }
        if choice == .audio, let rendition = bestSound { return rendition }
        let withPicture = renditions.filter { !$0.isAudioOnly }
        let candidates = withPicture.isEmpty ? renditions : withPicture
        let sizes = candidates.map {
            PictureSize(width: $0.width, height: $0.height, bandwidth: $0.bandwidth)
        }
        return candidates[try choice.index(among: sizes)]
    }

    /// The rendition with the best sound that can be had without pictures; nil without one.
    private var bestSound: Rendition? {
        let separate = renditions.filter { rendition in
            sound(of: rendition).contains { $0.address != nil && !$0.isForbidden }
        }
        let candidates = separate.isEmpty ? renditions.filter(\.isAudioOnly) : separate
        // Not `max`, which returns the last of equal ones.
        return candidates.dropFirst().reduce(candidates.first) { best, next in
            (best?.bandwidth ?? 0) < next.bandwidth ? next : best
        }
    }

    /// Returns the sound of a rendition: what it has itself, and the playlists beside it.
    ///
    /// The default comes first.
    func sound(of rendition: Rendition) -> [AlternativeMedia] {
        guard let group = rendition.audioGroup, !rendition.isAudioOnly else { return [] }
        let members = alternatives.filter { $0.kind == .audio && $0.group == group }
        return members.filter(\.isDefault) + members.filter { !$0.isDefault }
    }

    /// Returns the other pictures of a rendition, such as another angle.
    ///
    /// Without a group, they are those of all groups: nothing shows that they belong to none.
    func otherPictures(of rendition: Rendition) -> [AlternativeMedia] {
        alternatives.filter { media in
            media.kind == .video && media.address != rendition.address
                && (media.address != nil || media.isForbidden)
                && (rendition.videoGroup == nil || media.group == rendition.videoGroup)
        }
    }

    /// The subtitles that can be kept although there is no film, the default first.
    var textsAlone: [AlternativeMedia] {
        guard renditions.isEmpty else { return [] }
        let texts = alternatives.filter { $0.kind == .subtitles && $0.address != nil }
        return texts.filter(\.isDefault) + texts.filter { !$0.isDefault }
    }

    /// Returns the subtitles of a rendition.
    func subtitles(of rendition: Rendition) -> [AlternativeMedia] {
        alternatives.filter { $0.kind == .subtitles && $0.group == rendition.subtitleGroup }
    }
}
