// SPDX-License-Identifier: Apache-2.0
import OfflineLibrary
import Tidings
import TidingsHTTP

extension Router {
    /// The state of the catalogue and the lessons that were asked for.
    ///
    /// Runs beside its caller: a large catalogue takes a moment to search.
    @concurrent
    func catalogue(_ request: ServerRequest) async throws -> ServerResponse {
        let state = CatalogueStateJSON(library.catalogue)
        let from = try number("from", in: request, from: 0, through: .max, otherwise: 0)
        let count = try number("count", in: request, from: 0, through: 500, otherwise: 100)
        let known = state.address == nil ? nil : library.catalogue.publisher.lastData
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
            CatalogueJSON(catalogue: state, total: page.total, from: from, groups: groups)
        )
    }

    func setCatalogue(_ request: ServerRequest) throws -> ServerResponse {
        let wanted = try JSONCoding.decode(CatalogueAddressJSON.self, from: request.body)
        try library.catalogue.setAddress(
            CatalogueAddress(
                try WebAddress(wanted.address),
                allowsPrivateAddresses: wanted.allowPrivate ?? false
            )
        )
        return catalogueState()
    }

    func forgetCatalogue() throws -> ServerResponse {
        try library.catalogue.setAddress(nil)
        return catalogueState()
    }

    func refreshCatalogue() throws -> ServerResponse {
        try library.catalogue.refresh()
        return catalogueState()
    }

    /// 201 if anything is new in the library, 200 if all of it was there.
    func downloadLesson(_ id: String, _ request: ServerRequest) async throws -> ServerResponse {
        let wanted = try JSONCoding.decode(LessonPartsJSON.self, from: request.body)
        guard let part = LessonPart(rawValue: wanted.parts) else {
            throw ServerError(.badRequest, "The parts are “audio”, “video” or “text”.")
        }
        let before = try library.downloads(of: library.catalogue.lesson(id))
        let after = try await library.download(lesson: id, part)
        let isNew = after.parts.contains { $1.item != nil && before.parts[$0]?.item == nil }
        return .json(LessonJSON(after), status: isNew ? 201 : 200)
    }

    private func catalogueState() -> ServerResponse {
        .json(CatalogueStateJSON(library.catalogue))
    }

    private func number(
        _ name: String,
        in request: ServerRequest,
        from least: Int,
        through most: Int,
        otherwise usual: Int
    ) throws(ServerError) -> Int {
        guard let text = request.parameter(name) else { return usual }
        guard let value = Int(text), (least...most).contains(value) else {
            let limit = most == .max ? "" : " to \(most)"
            throw ServerError(.badRequest, "“\(name)” is a number from \(least)\(limit).")
        }
        return value
    }
}
