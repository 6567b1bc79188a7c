// SPDX-License-Identifier: Apache-2.0

/// The known word that a misspelt word may stand for.
struct Suggestion {
    /// The number of letters that may be missing or superfluous.
    ///
    /// A wrong letter counts twice.
    private static let mostChanges = 2
    /// The length of the longest word that is compared.
    private static let longestWord = 40

    /// The known word.
    let word: String

    /// Finds the known word that starts with the misspelt word, or else the most similar known
    /// word.
    ///
    /// The result is nil if no word is similar.
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
