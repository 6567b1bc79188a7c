// SPDX-License-Identifier: Apache-2.0
import OfflineAPI
import OfflineModel
import OfflineStore

/// `offline move`: moves a queued item in the order of the queue.
struct MoveCommand: Command {
    static var forms: [CommandForm] {
        Form("move", Self(), help: "Moves an item in the queue of downloads.")
            .details("The place is top, up, down or bottom, or before and the number of an item.")
            .argument(.item, into: \.id)
            .argument(.place, into: \.word)
            .argument(.item, ifGiven: \.other)
    }

    var id = ItemID(rawValue: 0)
    var word = ""
    var other: ItemID?
    var place = QueuePlace.top

    mutating func check() throws(UsageError) {
        guard let place = QueuePlace(word, item: other) else {
            throw UsageError(
                "The place in the queue is missing or unknown. Use: offline move \(id) "
                    + "top|up|down|bottom, or: offline move \(id) before NUMBER"
            )
        }
        self.place = place
    }

    func run(in environment: Environment) async throws -> ExitStatus {
        let library = try await LibraryAccess.open(environment)
        try await library.call(API.items.move, .init(id, place))
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

extension ValueKind<String> {
    fileprivate static var place: ValueKind {
        .text(
            "top|up|down|bottom|before",
            offered: ["top", "up", "down", "bottom", "before"],
            missing: "The place is missing. Use top, up, down or bottom, or before NUMBER."
        )
    }
}
