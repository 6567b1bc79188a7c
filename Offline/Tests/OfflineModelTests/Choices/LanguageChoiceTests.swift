// SPDX-License-Identifier: Apache-2.0
import Testing
import Tidings

@testable import OfflineModel

@Suite(.timeLimit(.minutes(15)))
struct LanguageChoiceTests {
    @Test(arguments: [
        ("all", "all"), ("NONE", "none"), ("en", "eng"), ("en, de,en", "eng,deu"),
        ("pt-BR,por", "pt-br,por"), ("xyz", "xyz"), ("zh-Hant-TW", "zh-hant-tw"),
        ("German, english,日本語", "deu,eng,jpn"), ("Français", "fra"),
    ])
    func o20_languagesHaveOneName(_ text: String, _ stored: String) throws {
        #expect(try LanguageChoice(text).description == stored)
        #expect(try LanguageChoice(stored).description == stored)
    }

    @Test(arguments: [
        "", ",", "en,", "klingonese", "english german", "e", "en;de", "en-", "../a", "en\u{0}",
        "日本",
        Array(repeating: "en", count: 17).joined(separator: ","),
        String(repeating: "a", count: 100_000),
    ])
    func otherTextIsRefused(_ text: String) {
        #expect(throws: LibraryError.self) { try LanguageChoice(text) }
    }

    @Test func soundCannotBeLeftOut() {
        #expect(throws: LibraryError.self) {
            try MediaChoice(quality: nil, audio: "none", subtitles: nil)
        }
    }

    @Test func o20_namesOfServersAreShortenedInNotes() throws {
        let hostile = "<b>" + String(repeating: "x", count: 500) + "\u{1B}[2J"
        let note = try #require(
            LanguageChoice.note(["French"], of: "sound", offering: [hostile, nil, "de"])
        )
        #expect(note.count < 120 && !note.contains("\u{1B}") && note.hasSuffix("German."))
        #expect(
            LanguageChoice.note(["French"], of: "sound", offering: [nil])
                == "The stream has no sound in French. It names no languages."
        )
    }
}
