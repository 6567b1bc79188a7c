// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineLibrary
import Tidings
import TidingsSQLite

/// `offline list`: prints the items of the library, or the results of a search.
struct ListCommand {
    let json: Bool
    /// The words of the search; empty for all items.
    let words: String
    /// The collection of the items; nil for all.
    var collection: CollectionName?
    let environment: Environment

    private var directory: LibraryDirectory { environment.directory }

    func run() async throws -> ExitStatus {
        let words = try SearchWords(words)
        let items = try await items(words)
        if json {
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
            // The opening migrates the registry.
            await (try await LibraryAccess.open(environment)).stop()
            return try storedItems(words) ?? []
        }
        if let remote = runningServer, let items = try? await remote.items(matching: self.words) {
            return items
        }
        let library: any LibraryService
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

    private var runningServer: RemoteLibrary? {
        ServerFile.read(directory).flatMap { try? RemoteLibrary($0) }
    }

    /// Returns the items, with the progress of downloads in a running server, and with the reason
    /// for which its queue starts no other.
    ///
    /// The server returns only the active ones, because the registry has the others sooner.
    private func withProgress(_ items: [ItemRepresentation]) async -> [ItemRepresentation] {
        guard items.contains(where: { !$0.state.endsRun }), let remote = runningServer,
            let active = try? await remote.activeItems(),
            let queue = try? await remote.queueState()
        else { return items }
        let known = Dictionary(active.map { ($0.id, $0) }) { first, _ in first }
        return items.map { (known[$0.id] ?? $0).waiting(in: queue) }
    }

    /// Reads the items without the lock, because another command may have the library open.
    ///
    /// - Returns: The items; nil if the registry must be migrated first.
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
