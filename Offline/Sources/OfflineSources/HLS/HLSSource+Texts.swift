// SPDX-License-Identifier: Apache-2.0
import OfflineModel
import TidingsHTTP

extension HLSSource {
    /// Returns the plan of subtitles without a film, which become one subtitle file.
    ///
    /// - Parameters:
    ///   - playlist: The playlist of the subtitle segments.
    ///   - choice: The choice of the item.
    ///   - description: The statements of a master playlist about the subtitles.
    ///   - notes: The notes of a master playlist for the user, or nil without a master playlist.
    /// - Returns: The plan.
    func textPlan(
        _ playlist: MediaPlaylist,
        _ choice: MediaChoice,
        description: TrackDescription = TrackDescription(),
        notes: [String]? = nil
    ) -> MediaPlan {
        var track = Track(playlist)
        track.description = description
        track.description.content = .subtitles
        track.markTexts()
        return MediaPlan(
            tracks: [track],
            notes: GapNote.text(playlist.gaps, .subtitles) + (notes ?? choice.notesOnTextsAlone)
        )
    }
}

extension MediaPlaylist {
    /// Whether all segments are subtitles in WebVTT.
    var isText: Bool {
        !segments.isEmpty && maps.isEmpty
            && segments.allSatisfy { segment in
                let name = segment.address.lastPathComponent.lowercased()
                return name.hasSuffix(".vtt") || name.hasSuffix(".webvtt")
            }
    }
}

extension MediaChoice {
    /// The notes about subtitles without a film, which offer nothing to choose.
    fileprivate var notesOnTextsAlone: [String] {
        let isUsual = quality == .best && audio == .all && subtitles == .all
        return isUsual ? [] : ["The stream has subtitles alone, which were kept."]
    }
}
