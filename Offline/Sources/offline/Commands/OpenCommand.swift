// SPDX-License-Identifier: Apache-2.0
import OfflineMedia
import OfflineModel

/// `offline open`: opens the file of an item with the desktop's program for the file, or shows the
/// file in the file manager.
struct OpenCommand: Command {
    static var forms: [CommandForm] {
        Form("open", Self(), help: "Opens the file of an item.")
            .details("Without a desktop, prints its path.")
            .argument(.item, into: \.id)
            .options([
                .flag("--folder", into: \.inFolder):
                    "show the file in the file manager instead of opening it"
            ])
    }

    var id = ItemID(rawValue: 0)
    var inFolder = false

    var showsPreviousCrash: Bool { false }

    func run(in environment: Environment) async throws -> ExitStatus {
        let item = try await ItemDetails.read(id, environment)
        guard let path = ItemDetails.path(of: item, environment) else {
            guard item.state != .unverified else {
                throw LibraryError(
                    .notFound,
                    "Item \(id) was imported and is not checked yet. `offline serve` checks all files "
                        + "in the background. Check this one now with: offline retry \(id)"
                )
            }
            throw LibraryError(
                .notFound,
                "Item \(id) has no file: its state is \(item.state.rawValue)."
            )
        }
        let isShown =
            if inFolder { await Desktop.fileManager?(path) ?? false } else { Desktop.open(path) }
        if !isShown { Terminal.print(path) }
        return .success
    }
}
