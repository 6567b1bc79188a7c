// SPDX-License-Identifier: Apache-2.0

/// A titled group of lessons.
struct LessonGroup: Codable, Sendable {
    let title: String
    let lessons: [Lesson]
}

/// A lesson with all available media.
struct Lesson: Codable, Identifiable, Sendable {
    let id: Int
    let title: String
    let media: [MediaType]
}

enum MediaType: String, Codable, Sendable {
    case audio
    case video
    case text
}

extension [LessonGroup] {
    var lessonCount: Int { reduce(0) { $0 + $1.lessons.count } }

    func lesson(_ id: Lesson.ID) -> Lesson? {
        lazy.flatMap(\.lessons).first { $0.id == id }
    }
}
