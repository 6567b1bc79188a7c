// SPDX-License-Identifier: Apache-2.0

/// Terms with their explanations in two columns, and text in lines of 80 columns.
enum HelpColumns {
    static let width = 80
    /// The column of the explanations.
    private static let column = 22

    /// Returns lines with terms and explanations, in which a longer term has its own line.
    static func lines(_ rows: [(term: String, text: String)]) -> [String] {
        rows.flatMap { term, text in
            let lines = wrapped(text, indent: column)
            let start = "  \(term)"
            guard start.count + 2 <= column, let first = lines.first else { return [start] + lines }
            let space = String(repeating: " ", count: column - start.count)
            return [start + space + first.drop { $0 == " " }] + lines.dropFirst()
        }
    }

    /// Returns the lines of a text that begin with an indent.
    static func wrapped(_ text: String, indent: Int) -> [String] {
        var lines: [String] = []
        for word in text.split(separator: " ") {
            if let last = lines.last, last.count + 1 + word.count <= width {
                lines[lines.count - 1] += " \(word)"
            } else {
                lines.append(String(repeating: " ", count: indent) + word)
            }
        }
        return lines
    }
}
