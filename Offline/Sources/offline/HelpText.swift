// SPDX-License-Identifier: Apache-2.0

/// `offline help`: the whole text, or the part about one command.
struct HelpText {
    /// The text.
    let text: String

    /// Selects the forms of a command and its options; nil for an unknown command.
    init?(_ name: String, of whole: String = Usage.text) {
        let table = CommandTable(whole)
        let forms = table.forms(of: name)
        let paragraphs = whole.split(separator: "\n\n")
        guard !forms.isEmpty, paragraphs.count == 4 else { return nil }
        let commands = Self.entries(in: paragraphs[1]).filter { entry in
            entry.split(separator: " ").dropFirst().first.map(String.init) == name
        }
        let names = Set(forms.flatMap(\.options) + table.commonOptions.map(\.name))
        let options = Self.entries(in: paragraphs[2]).filter { entry in
            let words = entry.split { $0 == " " || $0 == "\n" }
            return words.first.map { names.contains(String($0)) } ?? false
        }
        text = (commands + (options.isEmpty ? [] : [""]) + options).joined(separator: "\n")
    }

    /// Divides a paragraph at its lines with the smallest indent.
    private static func entries(in paragraph: Substring) -> [String] {
        let lines = paragraph.split(separator: "\n")
        let indents = lines.map { $0.prefix { $0 == " " }.count }
        let outermost = indents.min() ?? 0
        var entries: [String] = []
        for (line, indent) in zip(lines, indents) {
            if indent == outermost || entries.isEmpty {
                entries.append(String(line))
            } else {
                entries[entries.count - 1] += "\n\(line)"
            }
        }
        return entries
    }
}
