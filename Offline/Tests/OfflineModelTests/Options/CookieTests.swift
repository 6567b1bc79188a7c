// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import TidingsHTTP

@testable import OfflineModel

@Suite(.timeLimit(.minutes(15)))
struct CookieTests {
    private func cookie(_ line: String) throws -> Cookie {
        let fields = line.split(separator: " ", omittingEmptySubsequences: false)
        return try #require(try CookieFile(fields.joined(separator: "\t")).cookies.first)
    }

    @Test func aFileHasCommentsAndHiddenCookies() throws {
        let text = """
            # Netscape HTTP Cookie File
            # a\tb

            #HttpOnly_.a.example\tTRUE\t/\tTRUE\t2000000000\tid\tv
            a.example\tFALSE\t/p\tfalse\t0\tname\tv=w
            b.example\tFALSE\t/\tFALSE\t1999999999.5\tn
            """
        let cookies = try CookieFile(text.replacing("\n", with: "\r\n")).cookies
        #expect(cookies.map(\.domain) == ["a.example", "a.example", "b.example"])
        #expect(cookies.map(\.includesSubdomains) == [true, false, false])
        #expect(cookies.map(\.expiry) == [2_000_000_000, nil, 1_999_999_999])
        #expect(cookies.map(\.value) == ["v", "v=w", ""])
    }

    @Test(arguments: [
        "a.example TRUE /", "a.example YES / TRUE 0 n v", "a.example TRUE p TRUE 0 n v",
        " TRUE / TRUE 0 n v", "a.example TRUE / TRUE x n v", "a.example TRUE / TRUE 0 n;m v",
        "a.example TRUE / TRUE 0 n v;w", "a.example TRUE / TRUE 0 n v\u{1}", "{}",
        "bü.example TRUE / TRUE 0 n v",
    ])
    func aMalformedLineIsNamed(_ line: String) throws {
        let fields = line.split(separator: " ", omittingEmptySubsequences: false)
        #expect {
            try CookieFile("# first\n" + fields.joined(separator: "\t"))
        } throws: { error in
            (error as? LibraryError)?.message.hasPrefix("Line 2 of the cookies") == true
        }
    }

    @Test(arguments: [
        ("a.example FALSE / FALSE 0 n v", "http://a.example/f", true),
        ("a.example FALSE / FALSE 0 n v", "http://www.a.example/f", false),
        (".a.example TRUE / FALSE 0 n v", "http://cdn.a.example/f", true),
        (".a.example TRUE / FALSE 0 n v", "http://a.example/f", true),
        (".a.example TRUE / FALSE 0 n v", "http://evil-a.example/f", false),
        (".a.example TRUE / FALSE 0 n v", "http://a.example.evil/f", false),
        (".example TRUE / FALSE 0 n v", "http://a.example/f", false),
        (".0.0.1 TRUE / FALSE 0 n v", "http://127.0.0.1/f", false),
        ("a.example FALSE /p FALSE 0 n v", "http://a.example/p", true),
        ("a.example FALSE /p FALSE 0 n v", "http://a.example/p/f", true),
        ("a.example FALSE /p FALSE 0 n v", "http://a.example/pf", false),
        ("a.example FALSE /p/ FALSE 0 n v", "http://a.example/p/f", true),
        ("a.example FALSE / TRUE 0 n v", "http://a.example/f", false),
        ("a.example FALSE / TRUE 0 n v", "https://a.example/f", true),
        ("a.example FALSE / FALSE 1000 n v", "http://a.example/f", false),
        ("a.example FALSE / FALSE 1001 n v", "http://a.example/f", true),
    ])
    func o14_aCookieIsSentByItsRules(_ line: String, _ address: String, _ isSent: Bool) throws {
        let date = Date(timeIntervalSince1970: 1_000)
        #expect(try cookie(line).matches(WebAddress(address), at: date) == isSent)
    }

    @Test(arguments: [
        ("a.example", "https://www.a.example/", true), (".a.example", "https://a.example/", true),
        ("cdn.a.example", "https://www.a.example/", true),
        ("b.example", "https://a.example/", false),
        ("x.co.uk", "https://y.co.uk/", false), ("cdn.y.co.uk", "https://www.y.co.uk/", true),
        ("example", "https://a.example/", false), ("127.0.0.1", "http://127.0.0.1:8/", true),
        ("1.0.0.1", "http://127.0.0.1/", false), ("localhost", "http://localhost/", true),
    ])
    func o14_anItemKeepsTheCookiesOfItsSiteOnly(
        _ domain: String,
        _ address: String,
        _ isKept: Bool
    ) throws {
        var options = RequestOptions()
        options.cookies = [try cookie("\(domain) TRUE / FALSE 0 n v")]
        #expect(try options.kept(for: WebAddress(address)).cookies.isEmpty != isKept)
    }
}
