// SPDX-License-Identifier: Apache-2.0

/// What is downloaded together: the text comes along with either.
enum DownloadGroup: Sendable {
    case audioAndText
    case videoAndText

    /// The parts of it that a lesson has, the small one first.
    func media(of lesson: Lesson) -> [MediaType] {
        switch self {
        case .audioAndText: [.text, .audio].filter(lesson.media.contains)
        case .videoAndText: [.text, .video].filter(lesson.media.contains)
        }
    }
}
