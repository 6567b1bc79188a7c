// SPDX-License-Identifier: Apache-2.0
package import Foundation
package import TidingsHTTP

/// A list of lessons in groups, loaded from one JSON document on the web.
///
/// ```swift
/// let catalog = try CatalogDocument.decode(body, requestedAddress: address, at: finalAddress)
/// let lesson = catalog.lesson("intro-1")
/// ```
package struct Catalog: Hashable, Sendable, Codable {
    /// The requested address.
    ///
    /// A stored copy is valid only for this address.
    package var address: WebAddress
    /// The title as a single line, possibly empty.
    package var title: String
    /// The groups in the order of the document.
    package var groups: [LessonGroup]
    /// The time at which the document was loaded.
    package var loadedAt: Date

    /// Creates a catalog.
    ///
    /// - Parameters:
    ///   - address: The requested address, before redirects.
    ///   - title: The title as a single line.
    ///   - groups: The groups, in which no two lessons have the same identifier.
    ///   - loadedAt: The time at which the document was loaded.
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

    /// Returns the lesson with an identifier, or nil if the catalog has no such lesson.
    package func lesson(_ id: String) -> Lesson? {
        for group in groups {
            if let lesson = group.lessons.first(where: { $0.id == id }) { return lesson }
        }
        return nil
    }
}

/// A group of lessons in a catalog.
package struct LessonGroup: Hashable, Sendable, Codable {
    /// The title as a single line, possibly empty.
    package var title: String
    /// The lessons in the order of the document.
    package var lessons: [Lesson]

    /// Creates a group.
    package init(title: String, lessons: [Lesson]) {
        self.title = title
        self.lessons = lessons
    }
}

/// A lesson with up to three files.
package struct Lesson: Hashable, Sendable, Codable, Identifiable {
    /// The identifier, unique within the catalog.
    package var id: String
    /// The title as a single line, or the identifier if the document has no title.
    package var title: String
    /// The address of the audio file or stream.
    package var audio: WebAddress?
    /// The address of the video file or stream.
    package var video: WebAddress?
    /// The address of the text file.
    package var text: WebAddress?

    /// Creates a lesson.
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

    /// The address of a part, or nil if the lesson does not have the part.
    package subscript(part: LessonPart) -> WebAddress? {
        switch part {
        case .audio: audio
        case .video: video
        case .text: text
        }
    }
}
