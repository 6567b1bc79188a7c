// SPDX-License-Identifier: Apache-2.0
import OfflineLibrary
import Tidings
import TidingsHTTP

extension Router {
    /// Returns the state of the catalog and one page of its lessons.
    ///
    /// Concurrent, because the search of a large catalog takes some time.
    @concurrent
    func catalog(_ request: ServerRequest) async throws -> ServerResponse {
        let state = CatalogStateJSON(library.catalog)
        let from = try number("from", in: request, from: 0, through: .max, otherwise: 0)
        let count = try number("count", in: request, from: 0, through: 500, otherwise: 100)
        let known = state.address == nil ? nil : library.catalog.publisher.lastData
        let page = LessonPage(of: known, matching: request.parameter("q") ?? "", from, count)
        var groups: [LessonGroupJSON] = []
        for group in page.groups {
            var lessons: [LessonJSON] = []
            for lesson in group.lessons {
                lessons.append(LessonJSON(try library.downloads(of: lesson)))
            }
            groups.append(
                LessonGroupJSON(number: group.number, title: group.title, lessons: lessons)
            )
        }
        return .json(
            CatalogJSON(catalog: state, total: page.total, from: from, groups: groups)
        )
    }

    func setCatalog(_ request: ServerRequest) throws -> ServerResponse {
        let wanted = try JSONCoding.decode(CatalogAddressJSON.self, from: request.body)
        try library.catalog.setAddress(
            CatalogAddress(
                try WebAddress(wanted.address),
                allowsPrivateAddresses: wanted.allowPrivate ?? false
            )
        )
        return catalogState()
    }

    func removeCatalog() throws -> ServerResponse {
        try library.catalog.setAddress(nil)
        return catalogState()
    }

    func refreshCatalog() throws -> ServerResponse {
        try library.catalog.refresh()
        return catalogState()
    }

    /// Downloads parts of a lesson; returns 201 if that created an item, otherwise 200.
    func downloadLesson(_ id: String, _ request: ServerRequest) async throws -> ServerResponse {
        let wanted = try JSONCoding.decode(LessonPartsJSON.self, from: request.body)
        guard let part = LessonPart(rawValue: wanted.parts) else {
            throw ServerError(.badRequest, "Unknown parts. Use “audio”, “video” or “text”.")
        }
        let before = try library.downloads(of: library.catalog.lesson(id))
        let after = try await library.download(lesson: id, part)
        let isNew = after.parts.contains { $1.item != nil && before.parts[$0]?.item == nil }
        return .json(LessonJSON(after), status: isNew ? 201 : 200)
    }

    private func catalogState() -> ServerResponse {
        .json(CatalogStateJSON(library.catalog))
    }

    /// Returns the number of a query parameter.
    ///
    /// - Throws: `ServerError` with `.badRequest` if it is out of range.
    func number(
        _ name: String,
        in request: ServerRequest,
        from minimum: Int,
        through maximum: Int,
        otherwise defaultValue: Int
    ) throws(ServerError) -> Int {
        guard let text = request.parameter(name) else { return defaultValue }
        guard let value = Int(text), (minimum...maximum).contains(value) else {
            let limit = maximum == .max ? "" : " to \(maximum)"
            throw ServerError(
                .badRequest,
                "“\(name)” is out of range. Use a number from \(minimum)\(limit)."
            )
        }
        return value
    }
}
