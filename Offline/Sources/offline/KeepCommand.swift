// SPDX-License-Identifier: Apache-2.0
import OfflineLibrary

/// `offline keep`: keeps items that a feed would remove for newer ones.
struct KeepCommand {
    let ids: [ItemID]
    let environment: Environment

    func run() async throws -> ExitStatus {
        let library = try await LibraryAccess.openFeeds(environment)
        for id in ids {
            do {
                try await library.keep(id)
            } catch {
                await library.stop()
                throw error
            }
            Terminal.print("Item \(id) is kept: no feed removes it.")
        }
        await library.stop()
        return .success
    }
}
