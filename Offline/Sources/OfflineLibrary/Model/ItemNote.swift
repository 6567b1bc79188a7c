// SPDX-License-Identifier: Apache-2.0

/// The sentences of an item's note, none of them twice.
struct ItemNote: Hashable {
    /// The note; nil without a sentence.
    private(set) var text: String?

    /// Creates a note of sentences that follow an earlier note.
    init(_ sentences: [String] = [], after earlier: String? = nil) {
        text = earlier
        self = adding(sentences)
    }

    /// Returns the note with further sentences.
    func adding(_ sentences: [String]) -> ItemNote {
        var note = self
        for sentence in sentences where note.text?.contains(sentence) != true {
            note.text = [note.text, sentence].compactMap { $0 }.joined(separator: " ")
        }
        return note
    }
}
