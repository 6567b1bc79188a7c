// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import OfflineServer

@Suite(.timeLimit(.minutes(15)))
struct ContentDispositionTests {
    static let table: [(String, String)] = [
        ("Plain title", "Plain title"),
        ("a/b\\c", "a b c"),
        ("../../etc/passwd", "etc passwd"),
        ("  many   blanks ", "many blanks"),
        ("line\r\nSet-Cookie: x=1", "line Set-Cookie x=1"),
        ("quote\" and ; end", "quote and end"),
        ("\u{202E}gpj.exe", "gpj.exe"),
        ("nul\u{0}byte", "nul byte"),
        ("...", "media"),
        ("", "media"),
        ("Größe 日本 🎬", "Größe 日本 🎬"),
    ]

    @Test(arguments: table)
    func aTitleBecomesAValidFileName(_ title: String, _ expected: String) {
        #expect(ContentDisposition.cleaned(title) == expected)
    }

    @Test(arguments: table.map(\.0) + [String(repeating: "🎬", count: 500)])
    func theHeaderIsOneLineOfASCII(_ title: String) {
        let value = ContentDisposition.attachment(title: title, extension: "mp4")
        #expect(value.utf8.allSatisfy { (0x20...0x7E).contains($0) })
        #expect(value.filter { $0 == "\"" }.count == 2)
        #expect(value.utf8.count < 800)
    }

    @Test func namesOutsideASCIIAreEncodedCompletely() {
        #expect(
            ContentDisposition.attachment(title: "Größe 100%", extension: "mp4")
                == "attachment; filename=\"Gr__e 100_.mp4\"; "
                + "filename*=UTF-8''Gr%C3%B6%C3%9Fe%20100%25.mp4"
        )
    }
}
