// SPDX-License-Identifier: Apache-2.0
import OfflineLibrary

/// `offline pause`: pauses downloads until they are resumed.
struct PauseCommand {
    let ids: [ItemID]
    let environment: Environment

    func run() async throws -> ExitStatus {
        let library = try await LibraryAccess.open(environment)
        for id in ids {
            try await library.pause(id)
            Terminal.print("Item \(id) is paused. Continue it with: offline resume \(id)")
        }
        await library.stop()
        return .success
    }
}
