// SPDX-License-Identifier: Apache-2.0
package import OfflineMedia
package import OfflineModel

/// A page of the list of items.
package struct ItemListJSON: Codable, Sendable {
    /// The items in the requested order.
    package let items: [ItemRepresentation]
    /// The number of items on all pages.
    let total: Int
    /// The cursor of the next page, or absent after the last page.
    package let next: ItemID?

    init(_ items: [ItemRepresentation], total: Int, next: ItemID? = nil) {
        self.items = items
        self.total = total
        self.next = next
    }
}

/// The choice of the items in a list.
package enum ItemListing: OperationInput {
    /// A page of the items, with the words of the search that the query has.
    case page(ItemQuery, search: String = "")
    /// The items with these numbers.
    case some(Set<ItemID>)

    /// Reads the query.
    package init(_ parts: RequestParts) throws {
        if let text = parts.query["ids"] {
            self = .some(try Self.identifiers(text))
            return
        }
        let collection = try Self.collection(parts.query["collection"])
        let order: ItemOrder = try Self.choice("order", in: parts) ?? .newest
        guard order != .collection || collection != nil else {
            throw APIError(
                .badRequest,
                "“order=collection” is the order of one collection. Add “collection”."
            )
        }
        let search = parts.query["q"] ?? ""
        let query = ItemQuery(
            states: try Self.states(parts.query["state"]),
            words: try SearchWords(search),
            isWatched: try Self.mark(parts.query["watched"]),
            media: try Self.choice("media", in: parts),
            collection: collection,
            order: order,
            after: try parts.query["after"].map { try ItemID(pathValue: $0) },
            count: try parts.number(
                "count",
                from: 1,
                through: ItemQuery.maximumCount,
                otherwise: ItemQuery.usualCount
            )
        )
        self = .page(query, search: search)
    }

    /// Returns the query.
    package func parts() -> RequestParts {
        let values: [String: String?] =
            switch self {
            case .some(let ids):
                ["ids": ids.map(\.description).joined(separator: ",")]
            case .page(let query, let search):
                [
                    "state": query.states.isEmpty
                        ? nil : query.states.map(\.rawValue).joined(separator: ","),
                    "q": search.isEmpty ? nil : search,
                    "watched": query.isWatched.map(String.init),
                    "media": query.media?.rawValue,
                    "collection": query.collection?.description,
                    "order": query.order == .newest ? nil : query.order.rawValue,
                    "after": query.after?.description,
                    "count": String(query.count),
                ]
            }
        return RequestParts(query: values.compactMapValues(\.self))
    }

    private static func identifiers(_ text: String) throws -> Set<ItemID> {
        let ids = try text.split(separator: ",").map { try ItemID(pathValue: String($0)) }
        guard ids.count <= ItemQuery.maximumCount else {
            throw APIError(
                .badRequest,
                "“ids” has \(ids.count) numbers. Use at most \(ItemQuery.maximumCount)."
            )
        }
        return Set(ids)
    }

    private static func collection(_ text: String?) throws(APIError) -> CollectionID? {
        guard let text else { return nil }
        guard let id = CollectionID(text) else {
            throw APIError(
                .badRequest,
                "“collection” is invalid. Use the number of a collection, or omit it."
            )
        }
        return id
    }

    private static func mark(_ text: String?) throws(APIError) -> Bool? {
        guard let text else { return nil }
        guard let mark = Bool(text) else {
            throw APIError(.badRequest, "“watched” is invalid. Use true or false, or omit it.")
        }
        return mark
    }

    /// Returns the value of a parameter with a fixed set of values, or nil without the parameter.
    private static func choice<Choice: RawRepresentable & CaseIterable>(
        _ name: String,
        in parts: RequestParts
    ) throws(APIError) -> Choice? where Choice.RawValue == String {
        guard let text = parts.query[name] else { return nil }
        if let choice = Choice(rawValue: text) { return choice }
        let names = Choice.allCases.map(\.rawValue).joined(separator: ", ")
        throw APIError(
            .badRequest,
            "“\(text.prefix(20))” is not a value of “\(name)”. Use one of: \(names)."
        )
    }

    private static func states(_ text: String?) throws(APIError) -> Set<ItemState> {
        var states: Set<ItemState> = []
        for name in (text ?? "").split(separator: ",") {
            guard let state = ItemState(rawValue: String(name)) else {
                let names = ItemState.allCases.map(\.rawValue).joined(separator: ", ")
                throw APIError(
                    .badRequest,
                    "“\(name.prefix(20))” is not a state. Use some of: \(names)."
                )
            }
            states.insert(state)
        }
        return states
    }
}
