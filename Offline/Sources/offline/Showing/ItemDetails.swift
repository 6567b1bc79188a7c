// SPDX-License-Identifier: Apache-2.0
import OfflineAPI
import OfflineLibrary
import OfflineMedia
import OfflineModel
import TidingsFiles
import TidingsSQLite

/// The facts of one item for `offline show` and `offline open`.
enum ItemDetails {
    /// Reads an item, even while another command has the library open.
    ///
    /// - Throws: `LibraryError`, with `.notFound` for an unknown item.
    static func read(_ id: ItemID, _ environment: Environment) async throws -> ItemRepresentation {
        let directory = environment.directory
        if let remote = await LibraryAccess.runningServer(of: directory) {
            return try await remote.call(API.items.item, id)
        }
        do throws(SQLiteError) {
            if let item = try ItemRepresentation.stored(id, in: directory) { return item }
        } catch {
            guard error.code == .olderSchema else { throw LibraryError(opening: error) }
            let library = try await LibraryAccess.open(environment)
            let item = try await library.call(API.items.item, id)
            await library.stop()
            return item
        }
        throw LibraryError(.notFound, "There is no item \(id). `offline list` shows all items.")
    }

    /// Returns the path of an item's finished file, or nil if there is none.
    static func path(of item: ItemRepresentation, _ environment: Environment) -> String? {
        guard item.state == .ready, let name = item.fileName else { return nil }
        let path = environment.directory.mediaFile(name)
        return SystemFile.exists(path) ? path : nil
    }
}
