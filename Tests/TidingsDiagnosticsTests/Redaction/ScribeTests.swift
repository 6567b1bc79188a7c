// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import TidingsDiagnostics

@Suite(.timeLimit(.minutes(5)))
struct ScribeTests {
    private let scribe = Scribe(redactor: Redactor(homes: []))

    @Test func textsAreCutWithoutHalfACharacter() {
        let text = scribe.text(String(repeating: "é ", count: 5_000))
        #expect(text.utf8.count <= Scribe.textLimit)
        #expect(text.hasSuffix("é") || text.hasSuffix(" "))
        #expect(scribe.name(String(repeating: "é", count: 50)).utf8.count == 64)
        #expect("a👩‍👩‍👧‍👦".cut(to: 6).unicodeScalars.count == 2)
    }

    @Test func aCutNeverSavesTheBeginningOfASecret() {
        let query = "https://h/a?" + String(repeating: "secret", count: 10_000)
        #expect(!scribe.text("x " + query).contains("secret"))
        let padding = String(repeating: "x y ", count: 255)
        #expect(!scribe.text(padding + "https://h/a?secret").contains("secret"))
    }

    @Test func aValueUnderTheNameOfASecretIsNotKept() {
        #expect(scribe.value("abc", for: "Session-Token") == .text(Redactor.mark))
        #expect(scribe.value(42, for: "pin") == .text(Redactor.mark))
        #expect(scribe.value(42, for: "retry_count") == 42)
        #expect(scribe.value("https://h/?q", for: "url") == "https://h/?[redacted]")
    }
}
