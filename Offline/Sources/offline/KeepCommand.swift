// SPDX-License-Identifier: Apache-2.0
import OfflineLibrary

/// `offline keep`: keeps items that a feed would remove for newer ones.
struct KeepCommand {
    let ids: [ItemID]
    let environment: Environment

    func run() async throws -> ExitStatus {
        let library = try await LibraryAccess.openFeeds(environment)
        let status = await EachItem(command: "keep", environment: environment).run(ids) { id in
            try await library.keep(id)
            return "Item \(id) is kept: no feed removes it."
        }
        await library.stop()
        return status
    }
}
