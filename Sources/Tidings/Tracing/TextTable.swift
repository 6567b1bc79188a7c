// SPDX-License-Identifier: Apache-2.0

/// Columns of text that stand below each other.
///
/// The first one holds numbers and is aligned to the right.
struct TextTable: CustomStringConvertible {
    struct Row {
        let cells: [String]

        init(_ cells: [String]) {
            self.cells = cells
        }
    }

    let rows: [Row]

    var description: String {
        let columns = rows.map(\.cells.count).max() ?? 0
        let widths = (0..<columns).map { column in
            rows.map { $0.cells[column].count }.max() ?? 0
        }
        return rows.map { line($0, widths) }.joined(separator: "\n")
    }

    private func line(_ row: Row, _ widths: [Int]) -> String {
        let last = row.cells.count - 1
        let cells = row.cells.enumerated().map { column, text in
            let padding = String(repeating: " ", count: widths[column] - text.count)
            if column == 0 { return padding + text }
            return column == last ? text : text + padding
        }
        return cells.joined(separator: "  ")
    }
}
