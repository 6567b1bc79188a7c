// SPDX-License-Identifier: Apache-2.0
import OfflineLibrary

/// `offline stop`: ends recordings of live streams, whose files are then made.
struct StopCommand {
    let ids: [ItemID]
    let environment: Environment

    func run() async throws -> ExitStatus {
        let library = try await LibraryAccess.open(environment)
        let status = await EachItem(command: "stop", environment: environment).run(ids) { id in
            try await library.stopRecording(id)
            return library.isServed
                ? "The recording of item \(id) has stopped. Its file is being made."
                : "The recording of item \(id) has stopped. The next start makes its file."
        }
        await library.stop()
        return status
    }
}
