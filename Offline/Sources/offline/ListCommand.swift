// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineLibrary
import Tidings
import TidingsSQLite

/// `offline list`: prints the items of the library.
struct ListCommand {
    let json: Bool
    let environment: Environment

    private var directory: LibraryDirectory { environment.directory }

    func run() async throws -> ExitStatus {
        let items = try await items()
        if json {
            let data = try JSONFormat.encode(items, pretty: true)
            Terminal.print(String(decoding: data, as: UTF8.self))
        } else {
            Terminal.print(ItemList.text(items, in: directory))
        }
        return .success
    }

    private func items() async throws -> [ItemRepresentation] {
        if let file = ServerFile.read(directory), let remote = try? RemoteLibrary(file),
            let items = try? await remote.items()
        {
            return items
        }
        if let items = try storedItems() { return items }
        let library: any LibraryService
        do {
            library = try await LibraryAccess.open(environment)
        } catch let error as LibraryError where error.code == .inUse {
            // The other command has migrated the registry in the meantime.
            guard let items = try storedItems() else { throw error }
            return items
        }
        let items = try await library.items()
        await library.stop()
        return items
    }

    /// Reads the items without the lock, because another command may have the library open.
    ///
    /// - Returns: The items; nil if the registry must be migrated first.
    private func storedItems() throws(LibraryError) -> [ItemRepresentation]? {
        do throws(SQLiteError) {
            return try Registry.items(in: directory).map { ItemRepresentation($0) }
        } catch {
            guard error.code == .olderSchema else { throw LibraryError(opening: error) }
            return nil
        }
    }
}
