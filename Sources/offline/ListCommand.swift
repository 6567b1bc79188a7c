import Foundation
import OfflineLibrary
// SPDX-License-Identifier: Apache-2.0
import Tidings
import TidingsSQLite

/// `offline list`: shows what the library has, whoever works on it.
struct ListCommand {
    let json: Bool
    let directory: LibraryDirectory

    func run() async throws -> ExitStatus {
        let items = try await items()
        if json {
            let data = try JSONFormat.encode(items, pretty: true)
            Terminal.print(String(decoding: data, as: UTF8.self))
        } else {
            Terminal.print(ItemList.text(items))
        }
        return .success
    }

    private func items() async throws -> [ItemRepresentation] {
        if let file = ServerFile.read(directory), let remote = try? RemoteLibrary(file),
            let items = try? await remote.items()
        {
            return items
        }
        // Looking needs no lock: another command may work on the library meanwhile.
        guard Disk.size(of: directory.registry) != nil else { return [] }
        do {
            return try Registry(path: directory.registry, mode: .readOnly).items()
                .map { ItemRepresentation($0) }
        } catch {
            throw LibraryError(.cannotOpen, error.message, cause: error)
        }
    }
}
