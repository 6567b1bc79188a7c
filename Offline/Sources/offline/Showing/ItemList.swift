// SPDX-License-Identifier: Apache-2.0
import OfflineMedia
import OfflineModel

/// The table of `offline list`.
enum ItemList {
    static func text(_ items: [ItemRepresentation], in directory: LibraryDirectory) -> String {
        guard !items.isEmpty else {
            let path = Terminal.clean(directory.media)
            return "The library in \(path) is empty. Try: offline get https://…"
        }
        let reasons = items.filter { $0.state == .queued }.compactMap(\.waiting)
        var known: Set<String> = []
        let waits = reasons.map(Terminal.clean).filter { known.insert($0).inserted }
        let rows = items.map(row)
        let widths = (0..<3).map { column in rows.map { $0[column].count }.max() ?? 0 }
        let lines = rows.map { row in
            let fields = (0..<3).map { column in
                row[column] + String(repeating: " ", count: widths[column] - row[column].count)
            }
            return (fields + [row[3]]).joined(separator: "  ")
        }
        return (lines + waits).joined(separator: "\n")
    }

    private static func row(_ item: ItemRepresentation) -> [String] {
        [item.id.description, item.stateAndProgress, facts(item), Terminal.clean(item.title)]
    }

    private static func facts(_ item: ItemRepresentation) -> String {
        if let error = item.error { return error.code }
        let size = item.size.map(ByteCount.text)
        let duration = item.duration.map(PlayTime.text)
        return [size, duration].compactMap { $0 }.joined(separator: ", ")
    }
}
