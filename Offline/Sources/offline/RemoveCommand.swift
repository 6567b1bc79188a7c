// SPDX-License-Identifier: Apache-2.0
import OfflineLibrary

/// `offline remove`: removes items.
struct RemoveCommand {
    let ids: [ItemID]
    let withFile: Bool
    let environment: Environment

    func run() async throws -> ExitStatus {
        let library = try await LibraryAccess.open(environment)
        let status = await EachItem(command: "remove", environment: environment).run(ids) { id in
            try await library.remove(id, withFile: withFile)
            return withFile
                ? "Item \(id) and its file are removed."
                : "Item \(id) is removed from the list. "
                    + "A finished file stays in \(environment.directory.media)."
        }
        await library.stop()
        return status
    }
}
