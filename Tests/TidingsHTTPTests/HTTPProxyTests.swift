// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsTestFixtures

@testable import TidingsHTTP

@Suite(.timeLimit(.minutes(15)))
struct HTTPProxyTests {
    @Test(arguments: [
        ("http://proxy.example:3128", "http://proxy.example:3128"),
        ("proxy.example:3128/", "http://proxy.example:3128"),
        ("HTTPS://Proxy.example:443", "https://proxy.example:443"),
        ("http://127.0.0.1:80", "http://127.0.0.1:80"),
        ("socks5h://[::1]:1080", "socks5h://[::1]:1080"),
        ("socks5://u:p%40%3A%25@h.example:1", "socks5://u:p%40%3A%25@h.example:1"),
        ("http://u@h.example:1", "http://u:@h.example:1"),
        ("http://u:a@b@h.example:1", "http://u:a%40b@h.example:1"),
    ])
    func aProxyIsParsedAndWritten(_ text: String, _ written: String) throws {
        let proxy = try HTTPProxy(text)
        #expect(proxy.text == written)
        #expect(try HTTPProxy(proxy.text) == proxy)
    }

    @Test(arguments: [
        "", "secret", "http://secret.example", "ftp://secret@h:1", "http://h:1/secret",
        "http://h:1?secret", "http://h:1#secret", "http://u:%secret@h:1", "http://u:secret%0A@h:1",
        "http://secret@:1", "http://h:0", "http://h:99999", "socks4://h:1", "http://u:p@h h:1",
        "http://[::1]",
    ])
    func o14_aMalformedProxyIsRefusedWithoutItsText(_ text: String) {
        #expect {
            try HTTPProxy(text)
        } throws: { error in
            (error as? HTTPError).map { !$0.message.contains("secret") } ?? false
        }
    }

    @Test func o14_noTextContainsTheCredentials() throws {
        let proxy = try HTTPProxy("http://secret:secret@h.example:1")
        var text = "\(proxy) \(String(reflecting: proxy)) \(proxy.redacted)"
        dump(proxy, to: &text)
        #expect(!text.contains("secret"))
        #expect(proxy.user == "secret" && proxy.password == "secret")
    }

    @Test func o11_aProxyMayBePrivateButNotThisProgram() throws {
        let own = WebAddress.Origin(scheme: "http", host: "127.0.0.1", port: 8_420)
        let configuration = HTTPClient.Configuration(refusedOrigins: [own]).patient
        let connectionGuard = ConnectionGuard(configuration) { [] }
        let loopback = try #require(NetworkAddress("127.0.0.1"))
        #expect(connectionGuard.refusal(of: loopback, port: 3_128) == .privateAddress)
        #expect(connectionGuard.refusal(of: loopback, port: 3_128, isProxy: true) == nil)
        #expect(connectionGuard.refusal(of: loopback, port: 8_420, isProxy: true) == .ownAddress)
        let local = try WebAddress("http://192.168.1.2/")
        #expect(connectionGuard.refusalThroughProxy(of: local) == .privateAddress)
        let named = try WebAddress("http://a.example/")
        #expect(connectionGuard.refusalThroughProxy(of: named) == nil)
    }
}
