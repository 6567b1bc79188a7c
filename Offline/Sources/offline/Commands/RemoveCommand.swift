// SPDX-License-Identifier: Apache-2.0
import OfflineAPI
import OfflineModel

/// `offline remove`: removes items.
struct RemoveCommand: Command {
    static var forms: [CommandForm] {
        Form("remove", Self(), help: "Removes items.")
            .details("Keeps their files unless you add --with-file.")
            .arguments(.item, into: \.ids)
            .options([.flag("--with-file", into: \.withFile): "delete the files of the items, too"])
    }

    var ids: [ItemID] = []
    var withFile = false

    func run(in environment: Environment) async throws -> ExitStatus {
        let library = try await LibraryAccess.open(environment)
        let status = await EachItem(command: "remove", environment: environment).run(ids) { id in
            try await library.call(API.items.remove, .init(id, withFile: withFile))
            return withFile
                ? "Item \(id) and its file are removed."
                : "Item \(id) is removed from the list. "
                    + "A finished file stays in \(environment.directory.media)."
        }
        await library.stop()
        return status
    }
}
