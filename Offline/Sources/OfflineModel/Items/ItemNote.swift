// SPDX-License-Identifier: Apache-2.0

/// The sentences of an item's note, without duplicates.
package struct ItemNote: Hashable {
    /// The note, or nil without a sentence.
    package private(set) var text: String?

    /// Creates a note of sentences that follow an earlier note.
    package init(_ sentences: [String] = [], after earlier: String? = nil) {
        text = earlier
        self = adding(sentences)
    }

    /// Returns the note with further sentences.
    package func adding(_ sentences: [String]) -> ItemNote {
        var note = self
        for sentence in sentences where note.text?.contains(sentence) != true {
            note.text = [note.text, sentence].compactMap { $0 }.joined(separator: " ")
        }
        return note
    }
}
