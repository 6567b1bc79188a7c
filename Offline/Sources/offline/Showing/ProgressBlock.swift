// SPDX-License-Identifier: Apache-2.0
import OfflineMedia
import OfflineModel

/// The progress of the items of a command as lines of a terminal.
struct ProgressBlock {
    /// The maximum number of items that get a line.
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

    /// Returns the lines, each of at most `width` columns.
    ///
    /// Each running item gets a line. For several items, another line shows the number of finished
    /// ones. A terminal of `height` lines cannot redraw a line that has scrolled off the screen.
    func lines(width: Int, height: Int) -> [String] {
        guard count > 1 else { return items.map { line($0, width: width) } }
        let running = items.filter { $0.state != .queued || $0.waiting != nil }
        let room = max(0, min(Self.mostLines, height - 2))
        let lines = running.prefix(room).map { line($0, width: width) }
        return lines + [Columns.prefix("\(endedCount) of \(count) finished", width)]
    }

    private func line(_ item: ItemRepresentation, width: Int) -> String {
        let room = min(Self.titleWidth, width / 3)
        let title = Columns.prefix(Terminal.clean(item.title), room) + ": "
        return title + ProgressLine.text(item, width: width - Columns.count(title))
    }
}
