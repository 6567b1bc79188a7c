// SPDX-License-Identifier: Apache-2.0
import OfflineLibrary

/// `offline open`: opens the file of an item with the program that the desktop has for it, or shows
/// it in the file manager.
struct OpenCommand {
    let id: ItemID
    let inFolder: Bool
    let environment: Environment

    func run() async throws -> ExitStatus {
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
