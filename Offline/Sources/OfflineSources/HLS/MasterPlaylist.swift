// SPDX-License-Identifier: Apache-2.0
package import OfflineModel
import Tidings
package import TidingsHTTP

/// A list of the renditions of one stream, and of the separate sound and subtitles.
package struct MasterPlaylist: Hashable, Sendable {
    /// The renditions in the playlist's order, or an empty list if the playlist lists only
    /// subtitles.
    package var renditions: [Rendition]
    /// The sound and the subtitles beside the renditions, in the playlist's order.
    package var alternatives: [AlternativeMedia]
    /// The variables that the media playlists may import.
    package var variables: [String: String] = [:]
    /// The address of the JSON document with the chapters, or nil if the playlist names none.
    package var chapters: WebAddress?
    /// The title that the playlist states as one line, or nil without a title.
    package var title: String?

    /// Returns the rendition to keep.
    ///
    /// The method ignores audio-only renditions unless all renditions are audio-only. If no
    /// rendition has the chosen height, the method returns the next lower rendition, or else the
    /// lowest. Among equal renditions, the first one wins. For sound alone, the method prefers a
    /// rendition with separate sound, then a rendition without pictures, and then the rendition
    /// with the lowest bandwidth.
    ///
    /// - Throws: `.noSuchQuality` for a height if the playlist states none, and `.empty` if the
    ///   playlist lists only subtitles.
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

    /// The rendition with the best sound that is available without pictures, or nil if there is
    /// none.
    private var bestSound: Rendition? {
        let separate = renditions.filter { rendition in
            sound(of: rendition).contains { $0.address != nil && !$0.isForbidden }
        }
        let candidates = separate.isEmpty ? renditions.filter(\.isAudioOnly) : separate
        // `max` would return the last of several equal renditions.
        return candidates.dropFirst().reduce(candidates.first) { best, next in
            (best?.bandwidth ?? 0) < next.bandwidth ? next : best
        }
    }

    /// Returns the sound of a rendition, both in the rendition and in separate playlists.
    ///
    /// The default comes first.
    func sound(of rendition: Rendition) -> [AlternativeMedia] {
        guard let group = rendition.audioGroup, !rendition.isAudioOnly else { return [] }
        let members = alternatives.filter { $0.kind == .audio && $0.group == group }
        return members.filter(\.isDefault) + members.filter { !$0.isDefault }
    }

    /// Returns the other pictures of a rendition, such as another angle.
    ///
    /// Without a group, the pictures of all groups count, because nothing shows that none of these
    /// pictures belong to the rendition.
    func otherPictures(of rendition: Rendition) -> [AlternativeMedia] {
        alternatives.filter { media in
            media.kind == .video && media.address != rendition.address
                && (media.address != nil || media.isForbidden)
                && (rendition.videoGroup == nil || media.group == rendition.videoGroup)
        }
    }

    /// The subtitles that can be kept without a film, the default first.
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
