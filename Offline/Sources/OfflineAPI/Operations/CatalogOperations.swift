// SPDX-License-Identifier: Apache-2.0
package import OfflineLibrary
import Tidings
import TidingsHTTP

/// The operations on the catalog of lessons.
package struct CatalogOperations: Sendable {
    /// Returns the state of the catalog and one page of the lessons.
    package let page = get("/catalog") { (library: Library, query: QueryInput) in
        let state = CatalogStateJSON(library.catalog)
        let known = state.address == nil ? nil : library.catalog.publisher.lastData
        let from = try query.parts().number("from", from: 0, through: .max, otherwise: 0)
        let count = try query.parts().number("count", from: 0, through: 500, otherwise: 100)
        let page = LessonPage(of: known, matching: query["q"] ?? "", from, count)
        let groups = try page.groups.map { group in
            LessonGroupJSON(
                number: group.number,
                title: group.title,
                lessons: try group.lessons.map { LessonJSON(try library.downloads(of: $0)) }
            )
        }
        return CatalogJSON(catalog: state, total: page.total, from: from, groups: groups)
    }

    /// Sets the address of the catalog and starts to load the lessons.
    package let set = put("/catalog") { (library: Library, wanted: CatalogAddressJSON) in
        try library.catalog.setAddress(
            CatalogAddress(
                try WebAddress(wanted.address),
                allowsPrivateAddresses: wanted.allowPrivate ?? false
            )
        )
        return CatalogStateJSON(library.catalog)
    }

    /// Removes the catalog and keeps the downloads.
    package let remove = delete("/catalog") { (library: Library, _: NoContent) in
        try library.catalog.setAddress(nil)
        return CatalogStateJSON(library.catalog)
    }

    /// Starts to reload the lessons.
    package let refresh = post("/catalog/refresh", 409) { (library: Library, _: NoContent) in
        try library.catalog.refresh()
        return CatalogStateJSON(library.catalog)
    }

    /// Downloads parts of a lesson.
    package let downloadLesson = create("/catalog/lessons/{id*}/downloads", 404, 409) {
        (library: Library, input: Addressed<String, LessonPartsJSON>) in
        guard let part = LessonPart(rawValue: input.body.parts) else {
            throw APIError(.badRequest, "Unknown parts. Use “audio”, “video” or “text”.")
        }
        let before = try library.downloads(of: library.catalog.lesson(input.target))
        let after = try await library.download(lesson: input.target, part)
        let isNew = after.parts.contains { $1.item != nil && before.parts[$0]?.item == nil }
        return (LessonJSON(after), isNew)
    }
}
