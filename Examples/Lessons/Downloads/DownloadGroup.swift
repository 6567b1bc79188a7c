// SPDX-License-Identifier: Apache-2.0

/// Media that are downloaded together, always with the text.
enum DownloadGroup: Sendable {
    case audioAndText
    case videoAndText

    /// Returns the media of the group that a lesson has, with the smallest first.
    func media(of lesson: Lesson) -> [MediaType] {
        switch self {
        case .audioAndText: [.text, .audio].filter(lesson.media.contains)
        case .videoAndText: [.text, .video].filter(lesson.media.contains)
        }
    }
}
