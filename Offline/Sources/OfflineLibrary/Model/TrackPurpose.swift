// SPDX-License-Identifier: Apache-2.0

/// The purpose of sound or subtitles beside others of the same language.
package enum TrackPurpose: String, Hashable, Sendable, Codable {
    /// A voice describes the pictures.
    case describesVideo = "describes-video"
    /// Texts or clear voices for people who do not hear well.
    case transcribesDialog = "transcribes-dialog"
    /// People who made the film talk about it.
    case commentary

    /// The disposition of such a track, by ffmpeg's name.
    var disposition: String {
        switch self {
        case .describesVideo: "visual_impaired"
        case .transcribesDialog: "hearing_impaired"
        case .commentary: "comment"
        }
    }

    /// The text for a person.
    package var text: String {
        switch self {
        case .describesVideo: "describes the pictures"
        case .transcribesDialog: "for the hard of hearing"
        case .commentary: "commentary"
        }
    }

    /// Creates the purpose that the characteristics of a playlist's media state; nil without one.
    init?(characteristics text: String) {
        let all = Set(text.split(separator: ",").map { String($0.trimmingSpaces) })
        if all.contains("public.accessibility.describes-video") {
            self = .describesVideo
        } else if all.contains("public.accessibility.transcribes-spoken-dialog") {
            self = .transcribesDialog
        } else {
            return nil
        }
    }

    /// Creates the purpose that the roles of a manifest's set state; nil without one.
    init?(roles: Set<String>) {
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
