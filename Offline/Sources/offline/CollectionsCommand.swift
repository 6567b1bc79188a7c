// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineLibrary

/// `offline collections`: lists and changes collections and their items.
struct CollectionsCommand {
    /// The words of the command line.
    enum Action: Equatable {
        case list(json: Bool)
        /// Lists the items of a collection.
        case items(CollectionName, json: Bool)
        case add(CollectionName, [ItemID])
        case remove(CollectionName, [ItemID])
        case rename(CollectionName, to: CollectionName)
        case delete(CollectionName)

        /// Reads the words after `collections`.
        ///
        /// - Throws: `UsageError`, also for a name that no collection can have.
        init(_ scanner: inout ArgumentScanner) throws(UsageError) {
            switch scanner.next() {
            case nil: self = .list(json: scanner.flag("--json"))
            case "add":
                self = .add(try Self.name(&scanner), try Arguments.identifiers(&scanner))
            case "remove":
                self = .remove(try Self.name(&scanner), try Arguments.identifiers(&scanner))
            case "rename":
                self = .rename(try Self.name(&scanner), to: try Self.name(&scanner))
            case "delete": self = .delete(try Self.name(&scanner))
            case let name?:
                self = .items(try Self.checked(name), json: scanner.flag("--json"))
            }
        }

        private static func name(
            _ scanner: inout ArgumentScanner
        ) throws(UsageError) -> CollectionName {
            guard let name = scanner.next() else {
                throw UsageError(
                    "The name of the collection is missing. `offline collections` lists the names."
                )
            }
            return try checked(name)
        }

        /// Returns a name of the command line.
        static func checked(_ name: String) throws(UsageError) -> CollectionName {
            do throws(LibraryError) {
                return try CollectionName(name)
            } catch {
                throw UsageError(error.message)
            }
        }
    }

    let action: Action
    let environment: Environment

    func run() async throws -> ExitStatus {
        if case .items(let name, let json) = action {
            let list = ListCommand(
                json: json,
                words: "",
                collection: name,
                environment: environment
            )
            return try await list.run()
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

    /// Performs the action and returns its result for the terminal.
    private func text(_ library: any LibraryService) async throws -> String {
        let collections = try await library.collections()
        switch action {
        case .list(json: true), .items:
            return String(
                decoding: try JSONFormat.encode(collections, pretty: true),
                as: UTF8.self
            )
        case .list(json: false): return Self.table(collections)
        case .add(let name, let ids):
            guard let old = collections.named(name) else {
                let made = try await library.makeCollection(name, ids)
                return "Made the collection \(Self.quoted(made)) of \(Self.count(made.items))."
            }
            let new = try await library.change(old.id, name: nil, items: .add(ids))
            let added = Array(new.items.dropFirst(old.items.count))
            return "Added \(Self.count(added)) to \(Self.quoted(new))."
        case .remove(let name, let ids):
            let old = try collections.required(name)
            let new = try await library.change(old.id, name: nil, items: .remove(ids))
            let taken = old.items.filter { !new.items.contains($0) }
            return "Took \(Self.count(taken)) out of \(Self.quoted(new))."
        case .rename(let name, let wanted):
            let old = try collections.required(name)
            let new = try await library.change(old.id, name: wanted, items: nil)
            return "The collection \(Self.quoted(old)) is now \(Self.quoted(new))."
        case .delete(let name):
            let old = try collections.required(name)
            try await library.removeCollection(old.id)
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

extension [MediaCollection] {
    /// Returns the collection with a name in any case; nil if there is none.
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
