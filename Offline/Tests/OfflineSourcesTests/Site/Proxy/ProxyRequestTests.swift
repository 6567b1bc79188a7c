// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsHTTP

@testable import OfflineSources

@Suite(.timeLimit(.minutes(15)))
struct ProxyRequestTests {
    private static let credential = "Basic b2ZmbGluZTp4"

    private func request(
        _ line: String,
        _ fields: [String] = [],
        credential: String = credential
    ) throws(ProxyRequest.Refusal) -> ProxyRequest {
        let lines = [line, "Proxy-Authorization: \(credential)"] + fields
        return try ProxyRequest(
            Array(lines.joined(separator: "\r\n").utf8),
            credential: Self.credential
        )
    }

    @Test func o27_aPlainRequestGoesToTheServerOfItsAddress() throws {
        let fields = [
            "Host: other.example", "Accept: */*", "Connection: keep-alive", "Upgrade: h2c",
            "Proxy-Connection: keep-alive",
        ]
        let request = try request("GET http://a.example:8080/p?q=1 HTTP/1.1", fields)
        #expect(request.address.text == "http://a.example:8080/p?q=1")
        #expect(
            String(decoding: try #require(request.forwardedHead), as: UTF8.self) == """
                GET /p?q=1 HTTP/1.1\r
                Host: a.example:8080\r
                Accept: */*\r
                Connection: close\r
                \r

                """
        )
    }

    @Test func o27_aTunnelHasOnlyAServer() throws {
        let request = try request("CONNECT a.example:443 HTTP/1.1")
        #expect(request.address.text == "https://a.example/")
        #expect(request.forwardedHead == nil)
        #expect(try self.request("CONNECT [::1]:444 HTTP/1.1").address.port == 444)
    }

    @Test func o27_theCredentialIsRequired() {
        for credential in ["Basic b2ZmbGluZTp5", "", "Basic"] {
            #expect(throws: ProxyRequest.Refusal.unauthorized) {
                try request("GET http://a.example/ HTTP/1.1", credential: credential)
            }
        }
    }

    @Test(arguments: [
        "GET / HTTP/1.1", "GET file:///etc/passwd HTTP/1.1", "GET ftp://a.example/ HTTP/1.1",
        "get http://a.example/ HTTP/1.1", "GET http://a.example/", "",
        "CONNECT a.example/x HTTP/1.1",
        "GET http://a.example/ x HTTP/1.1", "CONNECT user@a.example:443 HTTP/1.1",
        "GET http://a.example/\n HTTP/1.1", "GET http://a.example/ HTTP/2", "CONNECT :443 HTTP/1.1",
        "CONNECT a.example:99999 HTTP/1.1",
    ])
    func o27_otherRequestsAreInvalid(line: String) {
        #expect(throws: ProxyRequest.Refusal.invalid) { try request(line) }
    }

    @Test func o27_anEncryptedAddressRequiresATunnel() {
        #expect(throws: ProxyRequest.Refusal.forbidden) {
            try request("GET https://a.example/ HTTP/1.1")
        }
    }

    @Test(arguments: ["no colon", ": x", "A b: x", "X: a\u{0}b", "X: a\nHost: b"])
    func o27_invalidFieldsAreRefused(field: String) {
        #expect(throws: ProxyRequest.Refusal.invalid) {
            try request("GET http://a.example/ HTTP/1.1", [field])
        }
    }
}
