// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import TidingsDiagnostics

@Suite(.timeLimit(.minutes(15)))
struct RedactorTests {
    private let redactor = Redactor(homes: ["/srv/people/ada/", "/ops", "/"])

    @Test(arguments: [
        (
            "https://example.org/a.m3u8?Policy=x&Signature=y",
            "https://example.org/a.m3u8?[redacted]"
        ),
        ("GET https://h/a?b failed", "GET https://h/a?[redacted] failed"),
        ("\"https://h/a?b\"", "\"https://h/a?[redacted]\""),
        ("https://h/a?b=1,https://h/c?d", "https://h/a?[redacted]"),
        ("https://h/a#access", "https://h/a#[redacted]"),
        ("https://h/add?url=https%3A%2F%2Fx", "https://h/add?[redacted]"),
        ("https%3A%2F%2Fh%2Fa%3Fsecretive", "https%3A%2F%2Fh%2Fa%3F[redacted]"),
        ("seg-1.ts?sig", "seg-1.ts?[redacted]"),
        ("https://user:pass@h/a", "https://h/a"),
        ("https://user:p?a@ss@h/a", "https://h/a"),
        ("https://user:p/w@h/a", "https://[redacted]"),
        ("https://user@h", "https://h"),
        ("user:p/w@h/a and (bob@example.org)", "[redacted] and ([redacted]@example.org)"),
        ("@MainActor func", "@MainActor func"),
        ("x=https://u:p@h/,y=https://u:p@i/", "x=https://h/,y=https://i/"),
        ("https:\\/\\/user:pass@h\\/a?b", "https:\\/\\/h\\/a?[redacted]"),
        ("https:\\/\\/h\\/a#access", "https:\\/\\/h\\/a#[redacted]"),
        ("https%3A%2F%2Fuser%3Apass%40h%2Fa", "https%3A%2F%2Fh%2Fa"),
        ("//user:pass@h/a", "//[redacted]"),
        ("proxy=user:pass@h", "proxy=[redacted]"),
        ("Really? Yes?", "Really? Yes?"),
        ("https://h:8080/a", "https://h:8080/a"),
        ("http://[::1]:8420/a", "http://[::1]:8420/a"),
    ])
    func noQueryFragmentOrCredentialOfAnAddressIsLeft(_ text: String, _ expected: String) {
        #expect(redactor.redacted(text) == expected)
    }

    @Test(arguments: [
        ("token=abc", "token=[redacted]"),
        ("a&Access_Token=abc&b", "a&Access_Token=[redacted]"),
        ("password: hunter2 next", "password: [redacted] next"),
        ("password = hunter2 next", "password = [redacted] next"),
        ("{\"api_key\": \"abc\", \"n\": 1}", "{\"api_key\": \"[redacted]\", \"n\": 1}"),
        ("{\"secret\":\"abc\"}", "{\"secret\":\"[redacted]\"}"),
        ("Authorization: Bearer abc def\nnext", "Authorization: [redacted]  \nnext"),
        ("Cookie: a=b; c=d\nnext", "Cookie: [redacted] \nnext"),
        ("Set-Cookie:a=b; c", "Set-Cookie:[redacted] "),
        ("sent Bearer abc to", "sent Bearer [redacted] to"),
        ("authToken: Bearer abc", "authToken: Bearer [redacted]"),
        ("x/token%3Dabc%26b", "x/token%3D[redacted]"),
        ("Authorization(Bearer abc)", "Authorization(Bearer [redacted]"),
        ("{\"password\":\"a b c\",\"n\":\"d e\"}", "{\"password\":\"[redacted]  \",\"n\":\"d e\"}"),
        ("{\"password\":\"\",\"n\":\"d\"}", "{\"password\":\"\",\"n\":\"d\"}"),
        ("password: \"a \\\"b c\" d", "password: \"[redacted] \" \" d"),
        ("{\\\"secret\\\":\\\"a b\\\"} c", "{\\\"secret\\\":\\\"[redacted] \"} c"),
        ("password='a b c' d", "password=[redacted]   d"),
        ("password: 'a b' d", "password: [redacted]  d"),
        ("MYSQL_PWD=abc", "MYSQL_PWD=[redacted]"),
        (
            "x-\(String(repeating: "long-", count: 20))token: abc",
            "x-\(String(repeating: "long-", count: 20))token: [redacted]"
        ),
        ("the token is here", "the token is here"),
        ("no key, no door", "no key, no door"),
    ])
    func noValueOfASecretNameIsLeft(_ text: String, _ expected: String) {
        #expect(redactor.redacted(text) == expected)
    }

    @Test(arguments: [
        "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9", "550e8400-e29b-41d4-a716-446655440000",
        "d41d8cd98f00b204e9800998ecf8427e", "kJ8_sPq2-xYzW0aLmN4bVcR7tUeHgFdS3iOo1pQqEwA",
        "AKIAIOSFODNN7EXAMPLE2024KEY9",
    ])
    func textsThatLookLikeKeysAreRedacted(_ key: String) {
        #expect(redactor.redacted("at /v1/\(key)/x") == "at /v1/[redacted]/x")
    }

    @Test(arguments: [
        "Lesson-01-Introduction-to-Swift-2024-part-2", "DownloadTaskCompletedSuccessfully",
        "OfflineLibrary/Downloads/ItemDownload.swift:103", "a sentence with 24 words in it",
        "AES128Decryptor", "schön & 日本語 🎬",
    ])
    func ordinaryTextStaysAsItIs(_ text: String) {
        #expect(redactor.redacted(text) == text)
    }

    @Test(arguments: [
        ("/srv/people/ada/Movies/a.mp4", "~/Movies/a.mp4"),
        ("open /srv/people/ada: denied", "open ~: denied"),
        ("file:///srv/people/ada/x", "file://~/x"),
        ("/srv/people/adam/x", "/srv/people/adam/x"),
        ("/home/bob/x and /Users/eve", "~/x and ~"),
        ("(/home/bob.smith)", "(~)"),
        ("/ops/.config", "~/.config"),
        ("/var/lib/x", "/var/lib/x"),
        ("https://h/home/page", "https://h/home/page"),
    ])
    func noHomeFolderIsLeft(_ text: String, _ expected: String) {
        #expect(redactor.redacted(text) == expected)
    }

    @Test func theHomeOfThisProcessIsRedacted() {
        let home = Redactor.ownHomes.first { $0.count > 1 }
        guard let home else { return }
        #expect(Redactor().redacted("at \(home)/x") == "at ~/x")
    }

    @Test func aLongHostileTextGrowsNoFurtherThanItsMarks() {
        for piece in ["://", "?", "=", ":", "token:", "a1", "/home/", "%3F", "@"] {
            let text = String(repeating: piece, count: 16_384 / piece.utf8.count)
            #expect(redactor.redacted(text).utf8.count <= 3 * text.utf8.count)
        }
    }
}
