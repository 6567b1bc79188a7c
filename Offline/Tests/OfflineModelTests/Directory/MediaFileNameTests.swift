// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import OfflineModel

@Suite(.timeLimit(.minutes(15)))
struct MediaFileNameTests {
    private func name(_ title: String, extension: String = "mp4", _ number: Int = 1) -> String {
        MediaFileName(title: title, of: ItemID(rawValue: 12), extension: `extension`).text(number)
    }

    @Test(
        arguments: [
            ("A film", "A film.mp4"), ("AC/DC: Live?", "AC-DC- Live.mp4"), ("a\\b|c", "a-b-c.mp4"),
            ("\"Quoted\" <b>", "'Quoted' (b).mp4"), ("../../etc/passwd", "etc-passwd.mp4"),
            (".hidden", "hidden.mp4"), ("-rf", "rf.mp4"), ("The end...", "The end.mp4"),
            ("con", "con_.mp4"), ("LPT1.backup", "LPT1.backup_.mp4"), ("Console", "Console.mp4"),
            ("", "12.mp4"), ("???", "12.mp4"), (" . ", "12.mp4"),
            ("Ünïcode 日本語", "Ünïcode 日本語.mp4"),
            ("e\u{301}", "\u{E9}.mp4"), (".\u{301}x", "x.mp4"),
            ("a\u{0}b\u{7}\u{202E}c\nd", "abcd.mp4"),
        ]
    )
    func o11_aTitleBecomesAPlainName(title: String, expected: String) {
        #expect(name(title).unicodeScalars.elementsEqual(expected.unicodeScalars))
        #expect(LibraryDirectory.isMediaName(name(title)))
    }

    @Test func o11_aNameHasRoomForALanguageAndANumber() {
        for character in ["日", "\u{301}"] {
            let text = name("a" + String(repeating: character, count: 900), 999)
            #expect(text.hasSuffix(" (999).mp4"))
            #expect(text.utf8.count <= 220)
        }
    }

    @Test func laterNamesHaveANumber() {
        #expect(name("A film", 2) == "A film (2).mp4")
    }

    @Test func theStemOfAnotherFilmIsAvoided() {
        var name = MediaFileName(title: "A Film", of: ItemID(rawValue: 12), extension: "mp4")
        name.avoid(["a film", "a film (2)"])
        #expect(name.text(name.firstNumber) == "A Film (3).mp4")
    }

    @Test func aTextFileIsNotTakenForSubtitles() {
        #expect(name("Film.en", extension: "vtt") == "Film-en.vtt")
    }
}
