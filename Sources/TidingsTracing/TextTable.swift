// SPDX-License-Identifier: Apache-2.0

/// A text table with aligned columns.
struct TextTable: CustomStringConvertible {
    /// The rows, which have equal length and start with the header.
    let rows: [[String]]
    /// The number of leading columns that are aligned to the right.
    let numbers: Int

    var description: String {
        let columns = rows.map(\.count).min() ?? 0
        let widths = (0..<columns).map { column in
            rows.map { $0[column].count }.max() ?? 0
        }
        return rows.map { line($0, widths) }.joined(separator: "\n")
    }

    private func line(_ cells: [String], _ widths: [Int]) -> String {
        let padded = zip(cells, widths).enumerated().map { column, cell in
            let (text, width) = cell
            // Lines have no trailing spaces.
            if column == widths.count - 1 { return text }
            let padding = String(repeating: " ", count: width - text.count)
            return column < numbers ? padding + text : text + padding
        }
        return padded.joined(separator: "  ")
    }
}
