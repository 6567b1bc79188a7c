// SPDX-License-Identifier: Apache-2.0

/// A part of a lesson.
package enum LessonPart: String, Hashable, Sendable, Codable, CaseIterable {
    /// The audio file or stream.
    case audio
    /// The video file or stream.
    case video
    /// The text file.
    case text

    /// The parts to download together with this one, which comes first.
    ///
    /// Audio and video include the text.
    package var group: [LessonPart] {
        switch self {
        case .audio, .video: [self, .text]
        case .text: [.text]
        }
    }
}

extension Lesson {
    /// Returns the parts of a group that the lesson has, or no parts if the group's main part is
    /// missing.
    package func parts(of group: LessonPart) -> [LessonPart] {
        guard self[group] != nil else { return [] }
        return group.group.filter { self[$0] != nil }
    }
}
