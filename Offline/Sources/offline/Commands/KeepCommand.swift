// SPDX-License-Identifier: Apache-2.0
import OfflineAPI
import OfflineModel

/// `offline keep`: keeps items that a feed would remove for newer ones.
struct KeepCommand: Command {
    static var forms: [CommandForm] {
        Form("keep", Self(), help: "Keeps items that a feed would remove for newer ones.")
            .arguments(.item, into: \.ids)
    }

    var ids: [ItemID] = []

    func run(in environment: Environment) async throws -> ExitStatus {
        let library = try await LibraryAccess.open(environment)
        let status = await EachItem(command: "keep", environment: environment).run(ids) { id in
            try await library.call(API.items.keep, id)
            return "Item \(id) is kept: no feed removes it."
        }
        await library.stop()
        return status
    }
}
