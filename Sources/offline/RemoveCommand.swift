// SPDX-License-Identifier: Apache-2.0
import OfflineLibrary

/// `offline remove`: forgets an item.
struct RemoveCommand {
    let id: ItemID
    let withFile: Bool
    let surroundings: Surroundings

    func run() async throws -> ExitStatus {
        let library = try await LibraryAccess.open(surroundings)
        try await library.remove(id, withFile: withFile)
        await library.stop()
        Terminal.print(
            withFile
                ? "Item \(id) and its file are gone."
                : "Item \(id) is out of the list. A finished file stays in \(surroundings.directory.media)."
        )
        return .success
    }
}
