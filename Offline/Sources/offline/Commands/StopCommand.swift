// SPDX-License-Identifier: Apache-2.0
import OfflineAPI
import OfflineModel

/// `offline stop`: ends recordings of live streams and makes the recorded files.
struct StopCommand: Command {
    static var forms: [CommandForm] {
        Form("stop", Self(), help: "Stops recordings of live streams and makes their files.")
            .arguments(.item, into: \.ids)
    }

    var ids: [ItemID] = []

    func run(in environment: Environment) async throws -> ExitStatus {
        let library = try await LibraryAccess.open(environment)
        let status = await EachItem(command: "stop", environment: environment).run(ids) { id in
            try await library.call(API.items.stop, id)
            return library.isServed
                ? "The recording of item \(id) has stopped. Its file is being made."
                : "The recording of item \(id) has stopped. The next start makes its file."
        }
        await library.stop()
        return status
    }
}
