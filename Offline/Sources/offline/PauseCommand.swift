// SPDX-License-Identifier: Apache-2.0
import OfflineLibrary

/// `offline pause`: pauses downloads until they are resumed.
struct PauseCommand {
    let ids: [ItemID]
    let environment: Environment

    func run() async throws -> ExitStatus {
        let library = try await LibraryAccess.open(environment)
        let status = await EachItem(command: "pause", environment: environment).run(ids) { id in
            let item = try await library.details(of: id)
            try await library.pause(id)
            return item.pausedByCommand
        }
        await library.stop()
        return status
    }
}
