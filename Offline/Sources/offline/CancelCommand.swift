// SPDX-License-Identifier: Apache-2.0
import OfflineLibrary

/// `offline cancel`: ends downloads and removes their data.
struct CancelCommand {
    let ids: [ItemID]
    let environment: Environment

    func run() async throws -> ExitStatus {
        let library = try await LibraryAccess.open(environment)
        let status = await EachItem(command: "cancel", environment: environment).run(ids) { id in
            try await library.cancel(id)
            return "Item \(id) is cancelled, and its data is removed."
        }
        await library.stop()
        return status
    }
}
