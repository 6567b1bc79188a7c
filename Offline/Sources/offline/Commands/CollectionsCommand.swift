// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineAPI
import OfflineLibrary
import OfflineModel
import OfflineStore

/// `offline collections`: lists and changes collections and their items.
struct CollectionsCommand: Command {
    /// The change of a collection.
    enum Change {
        case add, remove, rename, delete
    }

    static var forms: [CommandForm] {
        Form("collections", Self(), help: "Lists the collections, or the items of one in order.")
            .argument(.collection, ifGiven: \.name)
            .json(into: \.json)
        Form("collections add", Self(change: .add), help: "Adds items at the end of a collection.")
            .details("Makes the collection if there is none of this name.")
            .argument(.collection, ifGiven: \.name, isRequired: true)
            .arguments(.item, into: \.ids)
        Form("collections remove", Self(change: .remove), help: "Takes items out of a collection.")
            .details("They stay in the library.")
            .argument(.collection, ifGiven: \.name, isRequired: true)
            .arguments(.item, into: \.ids)
        Form("collections rename", Self(change: .rename), help: "Gives a collection another name.")
            .argument(.collection, ifGiven: \.name, isRequired: true)
            .argument(.newName, ifGiven: \.newName, isRequired: true)
        Form("collections delete", Self(change: .delete), help: "Deletes a collection.")
            .details("Its items stay in the library.")
            .argument(.collection, ifGiven: \.name, isRequired: true)
    }

    var change: Change?
    var name: CollectionName?
    var newName: CollectionName?
    var ids: [ItemID] = []
    var json = false

    func run(in environment: Environment) async throws -> ExitStatus {
        if change == nil, let name {
            return try await ListOptions(json: json, collection: name).run(in: environment)
        }
        let library = try await LibraryAccess.open(environment)
        let result: Result<String, any Error>
        do {
            result = .success(try await text(library))
        } catch {
            result = .failure(error)
        }
        await library.stop()
        Terminal.print(try result.get())
        return .success
    }

    /// Performs the action and returns the result for the terminal.
    private func text(_ library: Connection<Library>) async throws -> String {
        let collections = try await library.call(API.collections.list).collections
        guard let change, let name else {
            guard json else { return Self.table(collections) }
            return String(
                decoding: try JSONFormat.encode(collections, pretty: true),
                as: UTF8.self
            )
        }
        switch change {
        case .add:
            guard let old = collections.named(name) else {
                let made = try await library.call(
                    API.collections.make,
                    .init(name: name, items: ids)
                )
                return "Made the collection \(Self.quoted(made)) of \(Self.count(made.items))."
            }
            let new = try await library.call(API.collections.add, .init(old.id, .init(items: ids)))
            let added = Array(new.items.dropFirst(old.items.count))
            return "Added \(Self.count(added)) to \(Self.quoted(new))."
        case .remove:
            let old = try collections.required(name)
            let new = try await library.call(
                API.collections.takeOut,
                .init(old.id, .init(items: ids))
            )
            let taken = old.items.filter { !new.items.contains($0) }
            return "Took \(Self.count(taken)) out of \(Self.quoted(new))."
        case .rename:
            let old = try collections.required(name)
            let new = try await library.call(
                API.collections.change,
                .init(old.id, .init(name: newName))
            )
            return "The collection \(Self.quoted(old)) is now \(Self.quoted(new))."
        case .delete:
            let old = try collections.required(name)
            try await library.call(API.collections.remove, old.id)
            return "Deleted the collection \(Self.quoted(old)). Its items are still in the library."
        }
    }

    private static func table(_ collections: [MediaCollection]) -> String {
        guard !collections.isEmpty else {
            return "There are no collections. Make one with `offline collections add NAME NUMBER`."
        }
        let counts = collections.map { count($0.items) }
        let width = counts.map(\.count).max() ?? 0
        return zip(counts, collections).map { count, collection in
            count.padding(toLength: width, withPad: " ", startingAt: 0) + "  "
                + Terminal.clean(collection.name)
        }.joined(separator: "\n")
    }

    private static func quoted(_ collection: MediaCollection) -> String {
        "“\(Terminal.clean(collection.name))”"
    }

    private static func count(_ items: [ItemID]) -> String {
        items.count == 1 ? "1 item" : "\(items.count) items"
    }
}

extension ValueKind<CollectionName> {
    /// The name of a collection, which a shell cannot offer.
    fileprivate static var newName: ValueKind {
        var kind = collection
        kind.placeholder = "NEW"
        kind.offered = nil
        return kind
    }
}

extension [MediaCollection] {
    /// Returns the collection with a name in any case, or nil if there is none.
    fileprivate func named(_ name: CollectionName) -> MediaCollection? {
        first { (try? CollectionName($0.name))?.folded == name.folded }
    }

    /// Returns the collection with a name.
    ///
    /// - Throws: `LibraryError` with `.notFound` if there is none.
    fileprivate func required(_ name: CollectionName) throws(LibraryError) -> MediaCollection {
        guard let found = named(name) else { throw LibraryError(noCollection: name) }
        return found
    }
}
