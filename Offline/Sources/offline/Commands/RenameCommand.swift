// SPDX-License-Identifier: Apache-2.0
import OfflineAPI
import OfflineMedia
import OfflineModel

/// `offline rename`: gives an item another title and renames the file after the title.
struct RenameCommand: Command {
    static var forms: [CommandForm] {
        Form("rename", Self(), help: "Gives an item another title.")
            .details("Its file and subtitles get the name of it.")
            .argument(.item, into: \.id)
            .arguments(.text("TITLE"), into: \.words)
    }

    var id = ItemID(rawValue: 0)
    var words: [String] = []

    private var title: String { words.joined(separator: " ") }

    func run(in environment: Environment) async throws -> ExitStatus {
        let library = try await LibraryAccess.open(environment)
        let item = try await library.call(API.items.rename, .init(id, TitleJSON(title: title)))
        await library.stop()
        let file = item.fileName.map { " Its file is \(Terminal.clean($0))." } ?? ""
        Terminal.print("Item \(id) is now “\(Terminal.clean(item.title))”.\(file)")
        return .success
    }
}
