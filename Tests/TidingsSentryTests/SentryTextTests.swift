// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import TidingsSentry

@Suite(.timeLimit(.minutes(15)))
struct SentryTextTests {
    private let family = "👨‍👩‍👧‍👦"

    @Test func aTextWithinTheLimitIsUnchanged() {
        #expect(SentryText.lines("a\n\tb", limit: 4) == "a\n\tb")
        #expect(SentryText.line("ab", limit: 2) == "ab")
        #expect(SentryText.lines("", limit: 0) == "")
    }

    @Test func aCutTextEndsWithAnEllipsis() {
        #expect(SentryText.lines("abcde", limit: 4) == "abc…")
        #expect(SentryText.lines("abcde", limit: 1) == "…")
        #expect(SentryText.lines("abcde", limit: 0) == "")
    }

    @Test func noCharacterIsCutInTheMiddle() {
        #expect(SentryText.lines("ab" + family, limit: 6) == "ab…")
        #expect(SentryText.lines("a" + family + "bc", limit: 9) == "a" + family + "…")
        #expect(SentryText.lines("e\u{301}e\u{301}e\u{301}", limit: 4) == "e\u{301}…")
    }

    @Test func aCharacterLongerThanTheLimitIsCut() {
        let endless = "e" + String(repeating: "\u{301}", count: 1_000)
        #expect(SentryText.lines(endless, limit: 10).unicodeScalars.count == 10)
    }

    @Test func controlCharactersAreReplaced() {
        #expect(SentryText.lines("a\0b\u{1B}c\u{7F}", limit: 9) == "a\u{FFFD}b\u{FFFD}c\u{FFFD}")
        #expect(SentryText.lines("a\rb", limit: 9) == "a b")
    }

    @Test func aLineHasNoBreaksAndNoSpaceAroundIt() {
        #expect(SentryText.line(" \n a\nb\u{2028}c\u{85}\t ", limit: 99) == "a b c")
        #expect(SentryText.line("\n \u{2029}", limit: 99) == "")
        #expect(SentryText.line("ab  cdef", limit: 5) == "ab  …")
    }

    @Test func theEndOfAPathIsKept() {
        #expect(SentryText.end("/a/b/c", limit: 4) == "…b/c")
        #expect(SentryText.end("/a/b", limit: 4) == "/a/b")
        #expect(SentryText.end("", limit: 4) == "")
    }

    @Test func bytesEndAtACodePoint() {
        #expect(SentryText.bytes("aé", limit: 2) == "a")
        #expect(SentryText.bytes("aé", limit: 3) == "aé")
        #expect(SentryText.bytes("😀😀", limit: 7) == "😀")
    }
}
