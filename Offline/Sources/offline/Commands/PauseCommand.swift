// SPDX-License-Identifier: Apache-2.0
import OfflineAPI
import OfflineLibrary
import OfflineModel

/// `offline pause`: pauses downloads until they are resumed.
struct PauseCommand: Command {
    static var forms: [CommandForm] {
        Form("pause", Self(), help: "Pauses downloads and keeps their data.")
            .arguments(.item, into: \.ids)
            .options([
                .flag("--all", into: \.concernsAll, replacesArguments: true):
                    "pause all queued and running downloads"
            ])
    }

    var ids: [ItemID] = []
    var concernsAll = false

    func run(in environment: Environment) async throws -> ExitStatus {
        if concernsAll { return try await CommonActionCommand(action: .pause).run(in: environment) }
        let library = try await LibraryAccess.open(environment)
        let status = await EachItem(command: "pause", environment: environment).run(ids) { id in
            let item = try await library.call(API.items.item, id)
            try await library.call(API.items.pause, id)
            return item.pausedByCommand
        }
        await library.stop()
        return status
    }
}
