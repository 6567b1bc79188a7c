// SPDX-License-Identifier: Apache-2.0

/// What a lesson consists of.
package enum LessonPart: String, Hashable, Sendable, Codable, CaseIterable {
    case audio
    case video
    case text

    /// The parts that are downloaded together with this one, it first: the words of a lesson belong
    /// to what is heard and seen.
    package var group: [LessonPart] {
        switch self {
        case .audio, .video: [self, .text]
        case .text: [.text]
        }
    }
}

extension Lesson {
    /// The parts of a group that this lesson has; none if it lacks the one that the group is for.
    package func parts(of group: LessonPart) -> [LessonPart] {
        guard self[group] != nil else { return [] }
        return group.group.filter { self[$0] != nil }
    }
}
