// SPDX-License-Identifier: Apache-2.0
import OfflineLibrary

/// `offline remove`: removes an item.
struct RemoveCommand {
    let id: ItemID
    let withFile: Bool
    let environment: Environment

    func run() async throws -> ExitStatus {
        let library = try await LibraryAccess.open(environment)
        try await library.remove(id, withFile: withFile)
        await library.stop()
        Terminal.print(
            withFile
                ? "Item \(id) and its file are removed."
                : "Item \(id) is removed from the list. "
                    + "A finished file stays in \(environment.directory.media)."
        )
        return .success
    }
}
