// SPDX-License-Identifier: Apache-2.0
import OfflineAPI
import OfflineModel

/// `offline cancel`: ends downloads and removes their data.
struct CancelCommand: Command {
    static var forms: [CommandForm] {
        Form("cancel", Self(), help: "Ends downloads and removes their data and their items.")
            .arguments(.item, into: \.ids)
    }

    var ids: [ItemID] = []

    func run(in environment: Environment) async throws -> ExitStatus {
        let library = try await LibraryAccess.open(environment)
        let status = await EachItem(command: "cancel", environment: environment).run(ids) { id in
            try await library.call(API.items.cancel, id)
            return "Item \(id) is cancelled, and its data is removed."
        }
        await library.stop()
        return status
    }
}
