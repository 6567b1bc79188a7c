// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineAPI
import OfflineLibrary
import OfflineMedia
import OfflineModel
import OfflineStore
import Tidings
import TidingsSQLite

/// The options of `offline list`.
struct ListOptions: Command {
    static var forms: [CommandForm] {
        Form("list", Self(), help: "Lists the items of the library.")
            .details(
                """
                With words, lists those with all of these words in their title, address or file \
                name, or in their text or subtitles.
                """
            )
            .arguments(.text("WORDS"), into: \.words, isRequired: false)
            .options([
                .option("--collection", .collection, into: \.collection):
                    "list the items of this collection, in its order"
            ])
            .json(into: \.json)
    }

    var json = false
    var words: [String] = []
    var collection: CollectionName?

    func run(in environment: Environment) async throws -> ExitStatus {
        try await ListCommand(options: self, environment: environment).run()
    }
}

/// `offline list`: prints the items of the library, or the results of a search.
struct ListCommand {
    let options: ListOptions
    let environment: Environment

    private var collection: CollectionName? { options.collection }
    /// The words of the search, which are empty for all items.
    private var words: String { options.words.joined(separator: " ") }

    private var directory: LibraryDirectory { environment.directory }

    func run() async throws -> ExitStatus {
        let words = try SearchWords(words)
        let items = try await items(words)
        if options.json {
            let data = try JSONFormat.encode(items, pretty: true)
            Terminal.print(String(decoding: data, as: UTF8.self))
        } else if items.isEmpty, words.isEmpty, let collection {
            Terminal.print("The collection “\(Terminal.clean(collection.text))” has no items.")
        } else if items.isEmpty, !words.isEmpty {
            Terminal.print("No item has these words in its title, address, file name or text.")
        } else {
            Terminal.print(ItemList.text(items, in: directory))
        }
        return .success
    }

    private func items(_ words: SearchWords) async throws -> [ItemRepresentation] {
        if let items = try storedItems(words) { return await withProgress(items) }
        if collection != nil {
            // Opening the library migrates the registry.
            await (try await LibraryAccess.open(environment)).stop()
            return try storedItems(words) ?? []
        }
        if let server = runningServer,
            let items = try? await Connection.server(server).items(matching: self.words)
        {
            return items
        }
        let library: Connection<Library>
        do {
            library = try await LibraryAccess.open(environment)
        } catch let error as LibraryError where error.code == .inUse {
            // The other command has migrated the registry in the meantime.
            guard let items = try storedItems(words) else { throw error }
            return items
        }
        let items = try await library.items(matching: self.words)
        await library.stop()
        return items
    }

    /// The items that are being downloaded, of which there are only a few.
    private static let active = ItemQuery(
        states: Set(ItemState.allCases.filter(\.isActive)),
        count: ItemQuery.maximumCount
    )

    private var runningServer: APIClient? {
        ServerFile.read(directory).flatMap { try? APIClient($0) }
    }

    /// Returns the items with the progress of downloads in a running server, and with the reason
    /// why the server's queue starts no other download.
    ///
    /// The server returns only the active items, because reading the others from the registry is
    /// faster.
    private func withProgress(_ items: [ItemRepresentation]) async -> [ItemRepresentation] {
        guard items.contains(where: { !$0.state.endsRun }), let server = runningServer,
            let active = try? await server.call(API.items.list, .page(Self.active)).items,
            let queue = try? await server.call(API.items.queue)
        else { return items }
        let known = Dictionary(active.map { ($0.id, $0) }) { first, _ in first }
        return items.map { (known[$0.id] ?? $0).waiting(in: queue) }
    }

    /// Reads the items without the lock, because another command may have the library open.
    ///
    /// - Returns: The items, or nil if the registry must be migrated first.
    private func storedItems(
        _ words: SearchWords
    ) throws(LibraryError) -> [ItemRepresentation]? {
        let found: [ItemRepresentation]?
        do throws(SQLiteError) {
            guard let collection else {
                return try ItemRepresentation.stored(matching: words, in: directory)
            }
            found = try ItemRepresentation.stored(of: collection, matching: words, in: directory)
        } catch {
            guard error.code == .olderSchema else { throw LibraryError(opening: error) }
            return nil
        }
        if found == nil, let collection { throw LibraryError(noCollection: collection) }
        return found
    }
}
