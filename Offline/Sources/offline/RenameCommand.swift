// SPDX-License-Identifier: Apache-2.0
import OfflineLibrary

/// `offline rename`: gives an item another title, and its file the name of it.
struct RenameCommand {
    let id: ItemID
    let title: String
    let environment: Environment

    func run() async throws -> ExitStatus {
        let library = try await LibraryAccess.open(environment)
        let item = try await library.rename(id, to: title)
        await library.stop()
        let file = item.fileName.map { " Its file is \(Terminal.clean($0))." } ?? ""
        Terminal.print("Item \(id) is now “\(Terminal.clean(item.title))”.\(file)")
        return .success
    }
}
