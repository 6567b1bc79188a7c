// SPDX-License-Identifier: Apache-2.0
package import Foundation
package import TidingsHTTP

/// Lessons that somebody offers, in groups, as one document of the web lists them.
///
/// ```swift
/// let catalogue = try CatalogueDocument.decode(body, asked: address, at: finalAddress)
/// let lesson = catalogue.lesson("intro-1")
/// ```
package struct Catalogue: Hashable, Sendable, Codable {
    /// The address that was asked for; a stored copy of another one is worth nothing.
    package var address: WebAddress
    /// One line, possibly empty.
    package var title: String
    package var groups: [LessonGroup]
    /// When the document came.
    package var loadedAt: Date

    package init(
        address: WebAddress,
        title: String = "",
        groups: [LessonGroup],
        loadedAt: Date = Date()
    ) {
        self.address = address
        self.title = title
        self.loadedAt = loadedAt
        self.groups = groups
    }

    /// The number of lessons in all groups.
    package var lessonCount: Int { groups.reduce(0) { $0 + $1.lessons.count } }

    /// The lesson of that identifier; nil when there is none.
    package func lesson(_ id: String) -> Lesson? {
        for group in groups {
            if let lesson = group.lessons.first(where: { $0.id == id }) { return lesson }
        }
        return nil
    }
}

/// Lessons that belong together.
package struct LessonGroup: Hashable, Sendable, Codable {
    /// One line, possibly empty.
    package var title: String
    package var lessons: [Lesson]

    package init(title: String, lessons: [Lesson]) {
        self.title = title
        self.lessons = lessons
    }
}

/// One lesson: up to three files, each by its address.
package struct Lesson: Hashable, Sendable, Codable, Identifiable {
    /// Unlike that of any other lesson of the catalogue.
    package var id: String
    package var title: String
    package var audio: WebAddress?
    package var video: WebAddress?
    package var text: WebAddress?

    package init(
        id: String,
        title: String,
        audio: WebAddress? = nil,
        video: WebAddress? = nil,
        text: WebAddress? = nil
    ) {
        self.id = id
        self.title = title
        self.audio = audio
        self.video = video
        self.text = text
    }

    /// Where a part of the lesson is; nil if it has none.
    package subscript(part: LessonPart) -> WebAddress? {
        switch part {
        case .audio: audio
        case .video: video
        case .text: text
        }
    }
}
