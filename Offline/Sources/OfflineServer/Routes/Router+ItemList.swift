// SPDX-License-Identifier: Apache-2.0
import OfflineLibrary
import Tidings

/// A page of the list of items.
struct ItemListJSON: Codable, Sendable {
    /// The items in the wanted order.
    var items: [ItemRepresentation]
    /// The number of items on all pages.
    var total: Int
    /// The cursor of the next page; absent after the last one.
    var next: ItemID?
}

/// The event `items`: the newest items of each state.
struct ItemsJSON: Codable, Sendable {
    var items: [ItemRepresentation]
    /// The number of items of each state; without the states that no item has.
    var counts: [String: Int]
}

extension Router {
    /// Returns a page of the items, or the items with the wanted numbers.
    ///
    /// Concurrent, because a large page takes some time.
    @concurrent
    func listItems(_ request: ServerRequest) async throws -> ServerResponse {
        if let text = request.parameter("ids") {
            let items = try library.journal.registry.items(try identifiers(text))
            return .json(ItemListJSON(items: items.map(representation), total: items.count))
        }
        let count = try number(
            "count",
            in: request,
            from: 1,
            through: ItemQuery.maximumCount,
            otherwise: ItemQuery.usualCount
        )
        let collection = try collection(in: request)
        let order: ItemOrder = try choice("order", in: request) ?? .newest
        guard order != .collection || collection != nil else {
            throw ServerError(
                .badRequest,
                "“order=collection” is the order of one collection. Add “collection”."
            )
        }
        let query = ItemQuery(
            states: try states(request.parameter("state")),
            words: try SearchWords(request.parameter("q") ?? ""),
            isWatched: try mark(request.parameter("watched")),
            media: try choice("media", in: request),
            collection: collection,
            order: order,
            after: try request.parameter("after").map { try identifier($0[...]) },
            count: count
        )
        let page = try library.journal.registry.page(query)
        return .json(
            ItemListJSON(
                items: page.items.map(representation),
                total: page.total,
                next: page.next
            )
        )
    }

    private func identifiers(_ text: String) throws -> Set<ItemID> {
        let ids = try text.split(separator: ",").map(identifier)
        guard ids.count <= ItemQuery.maximumCount else {
            throw ServerError(
                .badRequest,
                "“ids” has \(ids.count) numbers. Use at most \(ItemQuery.maximumCount)."
            )
        }
        return Set(ids)
    }

    private func collection(in request: ServerRequest) throws(ServerError) -> CollectionID? {
        guard let text = request.parameter("collection") else { return nil }
        guard let id = CollectionID(text) else {
            throw ServerError(
                .badRequest,
                "“collection” is invalid. Use the number of a collection, or omit it."
            )
        }
        return id
    }

    private func mark(_ text: String?) throws(ServerError) -> Bool? {
        guard let text else { return nil }
        guard let mark = Bool(text) else {
            throw ServerError(.badRequest, "“watched” is invalid. Use true or false, or omit it.")
        }
        return mark
    }

    /// Returns the value of a parameter with few values; nil without it.
    private func choice<Choice: RawRepresentable & CaseIterable>(
        _ name: String,
        in request: ServerRequest
    ) throws(ServerError) -> Choice? where Choice.RawValue == String {
        guard let text = request.parameter(name) else { return nil }
        if let choice = Choice(rawValue: text) { return choice }
        let names = Choice.allCases.map(\.rawValue).joined(separator: ", ")
        throw ServerError(
            .badRequest,
            "“\(text.prefix(20))” is not a value of “\(name)”. Use one of: \(names)."
        )
    }

    private func states(_ text: String?) throws(ServerError) -> Set<ItemState> {
        var states: Set<ItemState> = []
        for name in (text ?? "").split(separator: ",") {
            guard let state = ItemState(rawValue: String(name)) else {
                let names = ItemState.allCases.map(\.rawValue).joined(separator: ", ")
                throw ServerError(
                    .badRequest,
                    "“\(name.prefix(20))” is not a state. Use some of: \(names)."
                )
            }
            states.insert(state)
        }
        return states
    }
}
