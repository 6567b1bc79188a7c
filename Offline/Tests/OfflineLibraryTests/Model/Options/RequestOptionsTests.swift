// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsHTTP

@testable import OfflineLibrary
@testable import OfflineModel

@Suite(.timeLimit(.minutes(15)))
struct RequestOptionsTests {
    private func message(_ texts: RequestOptions.Texts) -> String? {
        do {
            _ = try RequestOptions(texts)
            return nil
        } catch {
            #expect(error.code == .invalidOption)
            return error.message
        }
    }

    @Test func o1_optionsBecomeTextsAndAreParsedAgain() throws {
        let texts = RequestOptions.Texts(
            headers: ["X-Key: a: b", "Empty:", "Cookie: x=1"],
            cookies:
                ".a.example\tTRUE\t/\tTRUE\t99\tid\tv=\"1\"\na.example\tFALSE\t/p\tFALSE\t0\tn\t\n",
            referrer: "https://a.example/page?x",
            proxy: "socks5h://user:p%40ss@127.0.0.1:1080",
            checksum: "md5:" + String(repeating: "0a", count: 16),
            limit: "1500K"
        )
        let options = try RequestOptions(texts)
        #expect(options.headers.map(\.value) == ["a: b", "", "x=1"])
        #expect(try RequestOptions(options.texts) == options)
        #expect(options.cookies.count == 2)
        #expect(try RequestOptions(.init()).isEmpty)
    }

    @Test(arguments: ["", "fast", "2 M", "-2M", "15K", "1e6", "99999999999G"])
    func aMalformedSpeedLimitIsRefusedWithTheAllowedValues(_ text: String) throws {
        let fault = message(.init(limit: text))
        #expect(try #require(fault).contains("500K or 2M, from 16K on"))
    }

    @Test func aLaterLimitReplacesAnEarlierOne() throws {
        let first = try RequestOptions(.init(limit: "2m"))
        #expect(first.limit == .bytesPerSecond(2_000_000))
        #expect(
            try first.updated(by: RequestOptions(.init(limit: "none"))).limit == SpeedLimit.none
        )
        #expect(
            try first.updated(by: RequestOptions(.init(proxy: "http://p:1"))).limit == first.limit
        )
    }

    @Test func aRefererHeaderIsTheReferrer() throws {
        let options = try RequestOptions(.init(headers: ["referer: https://a.example/p"]))
        #expect(options.headers.isEmpty)
        #expect(options.referrer?.text == "https://a.example/p")
    }

    @Test(arguments: [
        "Host", "range", "If-Range", "Content-Length", "Connection", "Transfer-Encoding", "TE",
        "Accept-Encoding", "Proxy-Authorization", "Expect", "Upgrade",
    ])
    func aHeaderOfTheProgramIsRefusedByName(_ name: String) throws {
        let text = try #require(message(.init(headers: ["\(name): secret"])))
        #expect(text.contains(name) && !text.contains("secret"))
    }

    @Test(arguments: [
        "no colon secret", "Bad Name: secret", ": secret", "X: secret\r\nHost: evil",
        "X: secret\u{0}", "Ü: secret",
    ])
    func o14_aMalformedHeaderIsRefusedWithoutItsValue(_ line: String) throws {
        let text = try #require(message(.init(headers: [line])))
        #expect(!text.contains("secret") && !text.contains("evil"))
    }

    @Test(arguments: [
        RequestOptions.Texts(referrer: "file:///secret"),
        RequestOptions.Texts(referrer: "https://u:secret@a.example/"),
        RequestOptions.Texts(proxy: "ftp://u:secret@a.example:1"),
        RequestOptions.Texts(proxy: "http://u:secret@a.example"),
        RequestOptions.Texts(cookies: "secret"),
        RequestOptions.Texts(cookies: "a.example\tTRUE\t/\tTRUE\tsecret\tn\tv"),
        RequestOptions.Texts(checksum: "secret"), RequestOptions.Texts(checksum: "sha256:secret"),
    ])
    func o14_aMalformedOptionIsRefusedWithoutItsText(_ texts: RequestOptions.Texts) throws {
        let text = try #require(message(texts))
        #expect(!text.contains("secret"))
        #expect(text.contains("Use ") || text.contains("again") || text.contains("Copy"))
    }

    @Test func o14_noDescriptionContainsASecret() throws {
        let texts = RequestOptions.Texts(
            headers: ["Authorization: secret"],
            cookies: "a.example\tFALSE\t/\tFALSE\t0\tsecret\tsecret",
            referrer: "https://a.example/?secret",
            proxy: "http://secret:secret@127.0.0.1:1"
        )
        let options = try RequestOptions(texts)
        var request = DownloadRequest(.address(try WebAddress("https://a.example/f")))
        try request.setOptions(options)
        let values: [Any] = [
            options, texts, request, options.cookies, options.headers[0].description,
            try #require(options.proxy), StoredRequest(request).options as Any,
        ]
        for value in values {
            var text = "\(value) \(String(reflecting: value))"
            dump(value, to: &text)
            #expect(!text.contains("secret"), "\(type(of: value))")
        }
    }

    @Test func optionsHaveALimit() throws {
        let long = String(repeating: "a", count: 20_000)
        var options = try RequestOptions(.init(headers: ["A: \(long)"]))
        let address = try WebAddress("https://a.example/")
        _ = try options.kept(for: address)
        options.headers.append(HTTPHeader("B", long))
        #expect(throws: LibraryError.self) { try options.kept(for: address) }
    }

    @Test func newerOptionsReplaceTheirOwnKindOnly() throws {
        let old = try RequestOptions(.init(headers: ["A: 1"], referrer: "https://a.example/"))
        let new = try RequestOptions(.init(headers: ["B: 2"], proxy: "http://127.0.0.1:1"))
        let both = old.updated(by: new)
        #expect(both.headers.map(\.name) == ["B"])
        #expect(both.referrer == old.referrer && both.proxy == new.proxy)
    }
}
