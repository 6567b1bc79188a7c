// SPDX-License-Identifier: Apache-2.0
import OfflineLibrary

/// The progress of the items of a command as lines of a terminal.
struct ProgressBlock {
    /// The maximum number of items with a line of their own.
    private static let mostLines = 8
    private static let titleWidth = 24

    private let count: Int
    private var items: [ItemRepresentation] = []
    private var endedCount = 0

    /// Creates the block of a number of items.
    init(count: Int) {
        self.count = count
    }

    /// Replaces an item's progress.
    mutating func update(_ item: ItemRepresentation) {
        if let index = items.firstIndex(where: { $0.id == item.id }) {
            items[index] = item
        } else {
            items.append(item)
        }
    }

    /// Removes an item that has ended.
    mutating func end(_ id: ItemID) {
        items.removeAll { $0.id == id }
        endedCount += 1
    }

    /// Returns the lines: the progress of a single item, or of each running one, and their number.
    func lines(width: Int) -> [String] {
        guard count > 1 else { return items.map(ProgressLine.text) }
        let running = items.filter { $0.state != .queued || $0.waiting != nil }
        let lines = running.prefix(Self.mostLines).map { item in
            let title = Self.prefix(Terminal.clean(item.title), width: Self.titleWidth)
            return Self.prefix("\(title): \(ProgressLine.text(item))", width: width)
        }
        return lines + [Self.prefix("\(endedCount) of \(count) finished", width: width)]
    }

    /// Returns the beginning that fits into a number of columns.
    private static func prefix(_ text: String, width: Int) -> String {
        var columns = 0
        return String(
            text.prefix { character in
                columns += isWide(character) ? 2 : 1
                return columns <= width
            }
        )
    }

    private static func isWide(_ character: Character) -> Bool {
        guard let value = character.unicodeScalars.first?.value else { return false }
        return value >= 0x1100 && !(0x2000...0x2BFF).contains(value)
    }
}
