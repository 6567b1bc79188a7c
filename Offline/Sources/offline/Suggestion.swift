// SPDX-License-Identifier: Apache-2.0

/// The word of the program that a misspelt one may stand for.
struct Suggestion {
    /// The number of letters that may be missing or be too many; a wrong letter counts twice.
    private static let mostChanges = 2
    /// The longest word that is compared.
    private static let longestWord = 40

    /// The known word.
    let word: String

    /// Finds the known word that a word begins, or else the most similar one; nil if none is.
    init?(for misspelt: String, among known: [String]) {
        guard misspelt.count <= Self.longestWord else { return nil }
        let letters = Array(misspelt.lowercased())
        let changes = known.map { word in
            word.hasPrefix(misspelt) ? 0 : letters.difference(from: Array(word)).count
        }
        guard let least = changes.min(), least <= min(Self.mostChanges, letters.count - 1),
            let index = changes.firstIndex(of: least)
        else { return nil }
        word = known[index]
    }
}

extension UsageError {
    /// The error for a word that is no command.
    init(noCommand word: String) {
        let names = CommandTable(Usage.text).names
        let suggestion = Suggestion(for: word, among: names)
        self.init(
            "Unknown command “\(word)”."
                + (suggestion.map { " Did you mean `offline \($0.word)`?" } ?? "")
        )
    }

    /// The error for an option that a command does not take.
    init(noOption word: String, of command: String) {
        let options = CommandTable(Usage.text).words(after: command).filter { $0.hasPrefix("-") }
        let suggestion = Suggestion(for: String(word.prefix { $0 != "=" }), among: options)
        self.init(
            "Unknown option \(word) for this command."
                + (suggestion.map { " Did you mean \($0.word)?" } ?? "")
        )
    }
}
