// SPDX-License-Identifier: Apache-2.0

/// The purpose of sound or subtitles beside other tracks of the same language.
package enum TrackPurpose: String, Hashable, Sendable, Codable, CaseIterable {
    /// A voice describes the pictures.
    case describesVideo = "describes-video"
    /// Text or clear voices for people who are hard of hearing.
    case transcribesDialog = "transcribes-dialog"
    /// People who made the film talk about the film.
    case commentary

    /// The disposition of such a track, by ffmpeg's name.
    package var disposition: String {
        switch self {
        case .describesVideo: "visual_impaired"
        case .transcribesDialog: "hearing_impaired"
        case .commentary: "comment"
        }
    }

    /// The text for viewers.
    package var text: String {
        switch self {
        case .describesVideo: "describes the pictures"
        case .transcribesDialog: "for the hard of hearing"
        case .commentary: "commentary"
        }
    }

    /// Creates the purpose in the characteristics of a playlist's media, or returns nil without
    /// one.
    package init?(characteristics text: String) {
        let all = Set(text.split(separator: ",").map { String($0.trimmingSpaces) })
        if all.contains("public.accessibility.describes-video") {
            self = .describesVideo
        } else if all.contains("public.accessibility.transcribes-spoken-dialog") {
            self = .transcribesDialog
        } else {
            return nil
        }
    }

    /// Creates the purpose in the roles of a manifest's set, or returns nil without one.
    package init?(roles: Set<String>) {
        if roles.contains("description") {
            self = .describesVideo
        } else if !roles.isDisjoint(with: ["caption", "hard-of-hearing"]) {
            self = .transcribesDialog
        } else if roles.contains("commentary") {
            self = .commentary
        } else {
            return nil
        }
    }
}
