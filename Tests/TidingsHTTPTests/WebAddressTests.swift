// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import TidingsCoreFixtures

@testable import TidingsHTTP

@Suite(.timeLimit(.minutes(15)))
struct WebAddressTests {
    @Test(arguments: [
        ("http://a", "http://a/"),
        ("HTTP://Example.COM:80/Path#part", "http://example.com/Path"),
        ("https://a:443/b?c=d", "https://a/b?c=d"),
        ("https://a:80/", "https://a:80/"),
        ("  http://a/b  \n", "http://a/b"),
        ("http://a/b c?d e=f g", "http://a/b%20c?d%20e=f%20g"),
        ("http://a/é", "http://a/%c3%a9"),
        ("http://a/b%20c%2Fd", "http://a/b%20c%2Fd"),
        ("http://a/b/../c/./d", "http://a/c/d"),
        ("http://a?q", "http://a/?q"),
        ("http://a/?", "http://a/"),
        ("http://a:0080/b", "http://a/b"),
        ("http://a/?x=/../y#z", "http://a/?x=/../y"),
        ("http://Bücher.example/", "http://xn--bcher-kva.example/"),
        ("http://2130706433/", "http://127.0.0.1/"),
        ("http://0x7f.1/", "http://127.0.0.1/"),
        ("http://%31%32%37.0.0.1/", "http://127.0.0.1/"),
        ("http://[::1]:8080/x", "http://[::1]:8080/x"),
        ("http://[0:0:0:0:0:0:0:1]/", "http://[::1]/"),
    ])
    func isNormalized(text: String, expected: String) throws {
        let address = try WebAddress(text)
        #expect(address.text == expected)
        let again = try WebAddress(address.text)
        #expect(again == address, "reading it again changes nothing")
        #expect(again.origin == address.origin)
        #expect(address.path + (address.query.map { "?" + $0 } ?? "") == again.pathAndQuery)
    }

    @Test(arguments: [
        "", "   ", "a", "example.com/x", "localhost:8080/x", "http://", "http://:80/", "http:a",
        "http://a b/", "http://a\\@b/", "http://u:p@a/", "http://u@a/", "http://@a/",
        "http://a:99999/", "http://a:0/", "http://a:b/", "http://a%2fb/", "http://a%/",
        "http://a%25b/", "http://a*b/", "http://a~b/", "http://a\u{0}b/",
        "http://a/\u{0}b", "http://a/b\r\nHost: c", "http://a/\u{7F}", "http://a\u{FF0F}b.example/",
        "http://a\u{FF20}b.example/", "http://[fe80::1%25eth0]/", "http://[::1", "//a/b",
    ])
    func invalidAddressesAreRejected(text: String) {
        let error = #expect(throws: HTTPError.self) { try WebAddress(text) }
        #expect(error?.code == .invalidAddress)
    }

    @Test func longAddressesAreRejected() {
        let error = #expect(throws: HTTPError.self) {
            try WebAddress("http://a/" + String(repeating: "x", count: 40_000))
        }
        #expect(error?.code == .invalidAddress)
    }

    @Test(arguments: [
        "ftp://a/b", "file:///etc/passwd", "FILE:/etc/passwd", "data:text/plain,x",
        "javascript:alert(1)", "gopher://a/", "smb://a/b", "concat:a|b", "httpx://a/",
    ])
    func onlyHttpAndHttpsAreAccepted(text: String) throws {
        let error = #expect(throws: HTTPError.self) { try WebAddress(text) }
        #expect(error?.code == .unsupportedScheme)
        let base = try WebAddress("https://a/b")
        let resolving = #expect(throws: HTTPError.self) { try base.resolving(text) }
        #expect(resolving?.code == .unsupportedScheme)
    }

    /// RFC 3986, 5.4, without the fragments.
    @Test(arguments: [
        ("http://g", "http://g/"), ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"),
        ("g/", "http://a/b/c/g/"), ("/g", "http://a/g"), ("//g", "http://g/"),
        ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"), ("#s", "http://a/b/c/d;p?q"),
        ("g#s", "http://a/b/c/g"), ("g?y#s", "http://a/b/c/g?y"), (";x", "http://a/b/c/;x"),
        ("g;x", "http://a/b/c/g;x"), ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"),
        ("./", "http://a/b/c/"), ("..", "http://a/b/"), ("../", "http://a/b/"),
        ("../g", "http://a/b/g"), ("../..", "http://a/"), ("../../", "http://a/"),
        ("../../g", "http://a/g"), ("../../../g", "http://a/g"), ("/./g", "http://a/g"),
        ("/../g", "http://a/g"), ("g.", "http://a/b/c/g."), ("..g", "http://a/b/c/..g"),
        ("./../g", "http://a/b/g"), ("./g/.", "http://a/b/c/g/"), ("g/./h", "http://a/b/c/g/h"),
        ("g/../h", "http://a/b/c/h"), ("g;x=1/../y", "http://a/b/c/y"),
        ("g?y/../x", "http://a/b/c/g?y/../x"), ("a b.ts", "http://a/b/c/a%20b.ts"),
        ("seg-%C3%A9.ts?t=a%2Fb", "http://a/b/c/seg-%C3%A9.ts?t=a%2Fb"),
        ("//[::1]:9/q", "http://[::1]:9/q"),
    ])
    func referencesAreResolvedByTheRules(reference: String, expected: String) throws {
        #expect(try WebAddress("http://a/b/c/d;p?q").resolving(reference).text == expected)
    }

    @Test func slashesInTheQueryOfTheBaseAreNotItsPath() throws {
        let base = try WebAddress("http://a/b/list.m3u8?path=/x/y/../z")
        #expect(try base.resolving("seg.ts").text == "http://a/b/seg.ts")
        #expect(try base.resolving("?t=1").text == "http://a/b/list.m3u8?t=1")
        let bare = try WebAddress("http://a?x=/y/z")
        #expect(try bare.resolving("seg.ts").text == "http://a/seg.ts")
    }

    @Test(arguments: ["http:g", "//u:p@x/", "http://x\\@y/", "a:b.ts"])
    func invalidReferencesAreRejected(reference: String) throws {
        let base = try WebAddress("http://a/b")
        #expect(throws: HTTPError.self) { try base.resolving(reference) }
    }

    @Test func partsAreThoseOfTheText() throws {
        let address = try WebAddress("https://Host.example:8443/a/b%20c.mp4?token=secret")
        #expect(address.scheme == "https")
        #expect(address.host == "host.example")
        #expect(address.port == 8443)
        #expect(address.path == "/a/b%20c.mp4")
        #expect(address.query == "token=secret")
        #expect(address.lastPathComponent == "b c.mp4")
        let same = try WebAddress("https://host.example:8443/")
        #expect(address.origin == same.origin)
        #expect(same.query == nil)
        #expect(same.lastPathComponent == "")
        #expect(try WebAddress("http://host.example/").origin != same.origin)
    }

    @Test(arguments: [("%2e%2e%2fx", "../x"), ("a%zz%4", "a%zz%4"), ("%ff", "\u{FFFD}")])
    func lastPathComponentIsDecodedOnce(encoded: String, expected: String) throws {
        #expect(try WebAddress("http://a/b/" + encoded).lastPathComponent == expected)
    }

    @Test func redactedTextContainsNoQuery() throws {
        let address = try WebAddress("http://a:81/b?token=secret")
        #expect(address.redacted == "http://a:81/b")
        #expect("\(address)" == "http://a:81/b")
        #expect(String(reflecting: address) == "http://a:81/b")
        #expect(String(describing: [address]) == "[http://a:81/b]")
    }

    @Test func isCodedAsAString() throws {
        let address = try WebAddress("http://a/b?c")
        let data = try JSONEncoder().encode([address])
        #expect(try JSONDecoder().decode([WebAddress].self, from: data) == [address])
        let hostile = Data("[\"file:///etc/passwd\"]".utf8)
        #expect(throws: HTTPError.self) {
            try JSONDecoder().decode([WebAddress].self, from: hostile)
        }
    }

    @Test func partsFitTogetherForAnyText() throws {
        let pieces = [
            "http:", "https:", "//", "/", "a", "B.c", "%2e", "%", ":", "80", ":0443", "@", "?", "#",
            "..", ".", "[", "]", "::1", " ", "é", "\\", "&x=y", ";", "1.2.3", "0x7f", "\u{FF0E}",
            "+",
        ]
        var random = SeededGenerator(7)
        var accepted = 0
        let base = try WebAddress("https://h:81/p/q?r")
        for _ in 0..<5_000 {
            let text = (0..<Int.random(in: 1...8, using: &random)).map { _ in
                pieces[Int.random(in: 0..<pieces.count, using: &random)]
            }.joined()
            for made in [try? WebAddress("http://a" + text), try? base.resolving(text)] {
                guard let made else { continue }
                accepted += 1
                try requireFit(made, random)
            }
        }
        #expect(accepted > 1000, "\(random)")
    }

    private func requireFit(_ address: WebAddress, _ random: SeededGenerator) throws {
        let authority = address.text.dropFirst(address.scheme.count + 3).prefix { $0 != "/" }
        let port = authority.count > address.host.count ? ":\(address.port)" : ""
        let query = address.query.map { "?" + $0 } ?? ""
        let expected = "\(address.scheme)://\(address.host)\(port)\(address.path)\(query)"
        try #require(address.text == expected, "\(random)")
        try #require(try WebAddress(address.text) == address, "\(random)")
    }

    @Test func errorsDoNotRepeatTheText() {
        let error = #expect(throws: HTTPError.self) {
            try WebAddress("http://me:secret@a/?token=x")
        }
        #expect(error.map { !$0.description.contains("secret") } == true)
    }
}

extension WebAddress {
    fileprivate var pathAndQuery: String {
        let rest = text.dropFirst(scheme.count + 3)
        return String(rest[(rest.firstIndex(of: "/") ?? rest.endIndex)...])
    }
}
