// SPDX-License-Identifier: Apache-2.0
import OfflineLibrary

/// `offline move`: moves a queued item in the order of the queue.
struct MoveCommand {
    let id: ItemID
    let place: QueuePlace
    let environment: Environment

    func run() async throws -> ExitStatus {
        let library = try await LibraryAccess.open(environment)
        try await library.move(id, to: place)
        await library.stop()
        switch place {
        case .top: Terminal.print("Item \(id) is the next to download.")
        case .bottom: Terminal.print("Item \(id) is the last to download.")
        case .up, .down: Terminal.print("Item \(id) has moved \(place.word).")
        case .before(let other): Terminal.print("Item \(id) downloads before item \(other).")
        }
        return .success
    }
}

extension Arguments {
    /// Reads the item and its new place.
    static func move(_ scanner: inout ArgumentScanner) throws(UsageError) -> Command {
        let id = try identifier(&scanner)
        let word = scanner.next() ?? ""
        let other = word == "before" ? try identifier(&scanner) : nil
        guard let place = QueuePlace(word, item: other) else {
            throw UsageError(
                "The place in the queue is missing or unknown. Use: offline move \(id) "
                    + "top|up|down|bottom, or: offline move \(id) before NUMBER"
            )
        }
        return .move(id, place)
    }
}
