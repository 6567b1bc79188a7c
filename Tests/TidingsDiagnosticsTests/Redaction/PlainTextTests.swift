// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsCoreFixtures

@testable import TidingsDiagnostics

@Suite(.timeLimit(.minutes(15)))
struct PlainTextTests {
    @Test(arguments: [
        "", "muxing started", "part 12 of 40, 3.5 s", "OfflineLibrary-2_x", "x86_64",
    ])
    func shortTextsArePlain(_ text: String) {
        #expect(PlainText.isPlain(text))
    }

    @Test(arguments: [
        "a/b", "token=1", "Cookie: x", "a?b", "Bearer abc", "(basic) x", "a1b2c3d4e5f6a7b8c9d0e1f2",
        "\"x\"", "a@b", "a%3D", "line\nline",
    ])
    func possibleSecretsAreNotPlain(_ text: String) {
        #expect(!PlainText.isPlain(text))
    }

    @Test func plainTextsContainNothingToRedact() {
        var numbers = SeededGenerator(20)
        let pieces = [
            "token", "Bearer", "basic", "hunter2", " ", "  ", ".", ",", "-", "_", "=", ":", "/",
            "?",
            "a1b2c3d4e5", "Cookie", "home", "x", "9", "password", "é", "https", "\t",
        ]
        let redactor = Redactor(homes: ["/srv/people/ada"])
        var plain = 0
        for _ in 0..<20_000 {
            let count = Int.random(in: 1...8, using: &numbers)
            let text = (0..<count).map { _ in pieces.randomElement(using: &numbers) ?? "" }.joined()
            guard PlainText.isPlain(text) else { continue }
            plain += 1
            #expect(redactor.redactedByWord(text) == text, "\(numbers)")
        }
        #expect(plain > 500, "\(numbers)")
    }
}
