// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsTesting

@testable import OfflineAPI
@testable import OfflineServer

private let secret = "0123456789abcdef0123456789abcdef"

/// One request and the expected decision of the guard.
struct GuardCase: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let request: ServerRequest
    let code: String

    init(
        _ description: String,
        _ method: String = "GET",
        path: String = "/api/items",
        query: [(String, String)] = [],
        host: String? = "127.0.0.1:8420",
        with headers: [(String, String)] = [],
        gives code: String
    ) {
        testDescription = description
        let hosts = host.map { [("Host", $0)] } ?? []
        request = ServerRequest(method, path, query: query, headers: hosts + headers)
        self.code = code
    }
}

private let bearer = ("Authorization", "Bearer \(secret)")
private let cookie = ("Cookie", "a=b; offline_token_8420=\(secret)")
private let json = ("Content-Type", "application/json")
private let own = ("Origin", "http://127.0.0.1:8420")
private let foreign = ("Origin", "http://evil.example")
private let navigation = [
    ("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Mode", "navigate"),
    ("Sec-Fetch-Dest", "document"),
]

@Suite(.timeLimit(.minutes(15)))
struct RequestGuardTests {
    private let tickets: EntryTickets
    private let sut: RequestGuard

    init() {
        tickets = EntryTickets(clock: ManualClock())
        sut = RequestGuard(
            port: 8420,
            addedHosts: ["Media.lan"],
            token: AccessToken(secret) ?? .random(),
            tickets: tickets
        )
    }

    static let hosts = [
        GuardCase("the number", with: [bearer], gives: "allow"),
        GuardCase("localhost", host: "localhost:8420", with: [bearer], gives: "allow"),
        GuardCase("capitals", host: "LocalHost:8420", with: [bearer], gives: "allow"),
        GuardCase("IPv6", host: "[::1]:8420", with: [bearer], gives: "allow"),
        GuardCase("added, port", host: "media.lan:8420", with: [bearer], gives: "allow"),
        GuardCase("added, no port", host: "media.lan", with: [bearer], gives: "allow"),
        GuardCase("none", host: nil, with: [bearer], gives: "wrongHost"),
        GuardCase("no port", host: "127.0.0.1", with: [bearer], gives: "wrongHost"),
        GuardCase("other port", host: "127.0.0.1:80", with: [bearer], gives: "wrongHost"),
        GuardCase("rebound", host: "evil.example:8420", with: [bearer], gives: "wrongHost"),
        GuardCase(
            "suffix",
            host: "localhost:8420.evil.example",
            with: [bearer],
            gives: "wrongHost"
        ),
        GuardCase("prefix", host: "x.localhost:8420", with: [bearer], gives: "wrongHost"),
        GuardCase("dot", host: "localhost.:8420", with: [bearer], gives: "wrongHost"),
        GuardCase("two", with: [("Host", "evil.example"), bearer], gives: "wrongHost"),
        GuardCase("two equal", with: [("Host", "127.0.0.1:8420"), bearer], gives: "wrongHost"),
    ]

    static let origins = [
        GuardCase("own", with: [own, cookie], gives: "allow"),
        GuardCase("foreign", with: [foreign, cookie], gives: "foreignOrigin"),
        GuardCase("foreign with token", with: [foreign, bearer], gives: "foreignOrigin"),
        GuardCase("null", with: [("Origin", "null"), cookie], gives: "foreignOrigin"),
        GuardCase("empty", with: [("Origin", ""), cookie], gives: "foreignOrigin"),
        GuardCase("two", with: [own, foreign, cookie], gives: "foreignOrigin"),
        GuardCase("own twice", with: [own, own, cookie], gives: "foreignOrigin"),
        GuardCase(
            "other port",
            with: [("Origin", "http://127.0.0.1:80"), cookie],
            gives: "foreignOrigin"
        ),
        GuardCase(
            "other own name",
            with: [("Origin", "http://localhost:8420"), cookie],
            gives: "foreignOrigin"
        ),
        GuardCase("site same", with: [("Sec-Fetch-Site", "same-origin"), cookie], gives: "allow"),
        GuardCase("site none", with: [("Sec-Fetch-Site", "none"), cookie], gives: "allow"),
        GuardCase(
            "other port's page",
            with: [("Sec-Fetch-Site", "same-site"), cookie],
            gives: "foreignOrigin"
        ),
        GuardCase(
            "foreign image",
            with: [("Sec-Fetch-Site", "cross-site"), cookie],
            gives: "foreignOrigin"
        ),
        GuardCase("preflight", "OPTIONS", with: [foreign], gives: "foreignOrigin"),
        GuardCase("link to the API", with: navigation + [cookie], gives: "foreignOrigin"),
    ]

    static let tokens = [
        GuardCase("cookie", with: [cookie], gives: "allow"),
        GuardCase(
            "scheme in capitals",
            with: [("Authorization", "BEARER \(secret)")],
            gives: "allow"
        ),
        GuardCase("none", gives: "noToken"),
        GuardCase("none on the page", "GET", path: "/", gives: "noToken"),
        GuardCase("none on a file", "GET", path: "/app.js", gives: "noToken"),
        GuardCase("wrong", with: [("Authorization", "Bearer x\(secret)")], gives: "wrongToken"),
        GuardCase("empty", with: [("Authorization", "Bearer ")], gives: "wrongToken"),
        GuardCase("basic", with: [("Authorization", "Basic \(secret)")], gives: "wrongToken"),
        GuardCase(
            "wrong beside cookie",
            with: [("Authorization", "Bearer x"), cookie],
            gives: "wrongToken"
        ),
        GuardCase("wrong cookie", with: [("Cookie", "offline_token_8420=x")], gives: "wrongToken"),
        GuardCase(
            "other port's cookie",
            with: [("Cookie", "offline_token_9=\(secret)")],
            gives: "noToken"
        ),
        GuardCase("address", "GET", path: "/", query: [("token", secret)], gives: "remember"),
        GuardCase("wrong address", "GET", path: "/", query: [("token", "x")], gives: "wrongToken"),
        GuardCase(
            "address of API",
            "GET",
            path: "/api/items",
            query: [("token", secret)],
            gives: "noToken"
        ),
        GuardCase(
            "write in address",
            "POST",
            path: "/",
            query: [("token", secret)],
            gives: "noToken"
        ),
        GuardCase(
            "mailed",
            "GET",
            path: "/",
            query: [("token", secret)],
            with: navigation,
            gives: "remember"
        ),
    ]

    static let writes = [
        GuardCase("own page", "POST", with: [own, cookie, json], gives: "allow"),
        GuardCase(
            "charset",
            "POST",
            with: [bearer, ("Content-Type", "application/JSON; charset=utf-8")],
            gives: "allow"
        ),
        GuardCase(
            "fetch metadata",
            "POST",
            with: [("Sec-Fetch-Site", "same-origin"), cookie, json],
            gives: "allow"
        ),
        GuardCase("command line", "POST", with: [bearer, json], gives: "allow"),
        GuardCase("removal", "DELETE", with: [own, cookie], gives: "allow"),
        GuardCase("cookie alone", "POST", with: [cookie, json], gives: "foreignOrigin"),
        GuardCase(
            "typed",
            "POST",
            with: [("Sec-Fetch-Site", "none"), cookie, json],
            gives: "foreignOrigin"
        ),
        GuardCase("removal, cookie alone", "DELETE", with: [cookie], gives: "foreignOrigin"),
        GuardCase(
            "form",
            "POST",
            with: [own, cookie, ("Content-Type", "text/plain")],
            gives: "notJSON"
        ),
        GuardCase("no type", "POST", with: [own, cookie], gives: "notJSON"),
        GuardCase("put without JSON", "PUT", with: [bearer], gives: "notJSON"),
        GuardCase("patch without JSON", "PATCH", with: [bearer], gives: "notJSON"),
        GuardCase(
            "patch of a foreign page",
            "PATCH",
            with: [cookie, json],
            gives: "foreignOrigin"
        ),
        GuardCase("other method", "PROPFIND", with: [bearer, json], gives: "allow"),
        GuardCase("other method with the cookie", "TRACE", with: [cookie], gives: "foreignOrigin"),
        GuardCase("no token", "POST", with: [own, json], gives: "noToken"),
    ]

    static let additions = [
        GuardCase(
            "from a foreign page",
            "GET",
            path: "/add",
            query: [("url", "a b\"&<")],
            with: navigation,
            gives: "/add?reloaded=1&url=a%20b%22%26%3C"
        ),
        GuardCase(
            "from the extension",
            "GET",
            path: "/add",
            query: [
                ("referrer", "http://a.example/?b=c"), ("title", "<b>"), ("text", "x\ny"),
                ("url", "javascript:alert(1)"), ("cookies", "a"),
            ],
            with: navigation,
            gives: "/add?reloaded=1&url=javascript%3Aalert%281%29&text=x%0Ay&title=%3Cb%3E"
                + "&referrer=http%3A%2F%2Fa.example%2F%3Fb%3Dc"
        ),
        GuardCase(
            "the longest link",
            "GET",
            path: "/add",
            query: [("url", String(repeating: "a", count: 16_364))],
            with: navigation,
            gives: "/add?reloaded=1&url=" + String(repeating: "a", count: 16_364)
        ),
        GuardCase(
            "a longer link",
            "GET",
            path: "/add",
            query: [("url", String(repeating: "a", count: 16_365))],
            with: navigation,
            gives: "tooLong"
        ),
        GuardCase(
            "a longer link after encoding",
            "GET",
            path: "/add",
            query: [("title", String(repeating: "<", count: 5_500))],
            gives: "tooLong"
        ),
        GuardCase(
            "old browser",
            "GET",
            path: "/add",
            query: [("url", "x")],
            gives: "/add?reloaded=1&url=x"
        ),
        GuardCase("link to the page", "GET", path: "/", with: navigation, gives: "/?reloaded=1"),
        GuardCase(
            "again without cookie",
            "GET",
            path: "/add",
            query: [("reloaded", "1")],
            gives: "noToken"
        ),
        GuardCase(
            "with cookie",
            "GET",
            path: "/add",
            query: [("url", "x")],
            with: [cookie],
            gives: "allow"
        ),
        GuardCase(
            "in a frame",
            "GET",
            path: "/add",
            with: [
                ("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Mode", "navigate"),
                ("Sec-Fetch-Dest", "iframe"),
            ],
            gives: "foreignOrigin"
        ),
        GuardCase("posted", "POST", path: "/add", with: navigation, gives: "foreignOrigin"),
    ]

    @Test(
        "O15: only own hosts, origins, tokens and forms reach a handler",
        arguments: hosts + origins + tokens + writes + additions
    )
    func o15_nothingForeignReachesAHandler(_ example: GuardCase) {
        #expect(code(of: example.request) == example.code)
    }

    private func code(of request: ServerRequest) -> String {
        switch sut.verdict(on: request) {
        case .allow: "allow"
        case .remember: "remember"
        case .proceed: "proceed"
        case .wait: "wait"
        case .reloadFromHere(let location): location
        case .refuse(_, let code, _): code
        }
    }

    @Test func o15_theTokenBecomesACookieAndLeavesTheAddress() throws {
        let request = ServerRequest(
            "GET",
            "/",
            query: [("token", secret)],
            headers: [("Host", "127.0.0.1:8420")]
        )
        let response = try #require(sut.immediateResponse(to: request))
        #expect(response.status == 303)
        #expect(response.header("Location") == "/")
        let cookie = try #require(response.header("Set-Cookie"))
        #expect(cookie.hasPrefix("offline_token_8420=\(secret); HttpOnly; SameSite=Strict; Path=/"))
    }

    @Test func o15_aTicketBecomesTheCookieOnce() throws {
        let ticket = tickets.issue().text
        func code(_ method: String, _ path: String, _ headers: [(String, String)] = []) -> String {
            let own = headers.contains { $0.0 == "Host" } ? [] : [("Host", "127.0.0.1:8420")]
            return self.code(
                of: ServerRequest(method, path, query: [("ticket", ticket)], headers: own + headers)
            )
        }
        // None of these requests is from a browser that opens the address, so the ticket stays
        // unspent.
        #expect(code("HEAD", "/") == "noToken")
        #expect(code("POST", "/") == "noToken")
        #expect(code("GET", "/api/items") == "noToken")
        #expect(code("GET", "/", [("Host", "evil.example")]) == "wrongHost")
        #expect(code("GET", "/", navigation) == "/?reloaded=1")
        #expect(code("GET", "/", [foreign]) == "foreignOrigin")
        #expect(code("GET", "/") == "remember")
        #expect(code("GET", "/") == "spentTicket")
        #expect(code("GET", "/", [cookie]) == "proceed")
        #expect(code("GET", "/", [("Cookie", "offline_token_8420=x")]) == "spentTicket")
    }

    @Test func o15_thePageWithoutDataNeverContainsMarkupFromTheAddress() throws {
        let request = ServerRequest(
            "GET",
            "/add",
            query: [("url", "\"><script>alert(1)</script>")],
            headers: [("Host", "127.0.0.1:8420")]
        )
        let response = try #require(sut.immediateResponse(to: request))
        guard case .bytes(let bytes) = response.body else {
            Issue.record("not bytes")
            return
        }
        let html = String(decoding: bytes, as: UTF8.self)
        #expect(!html.contains("<script"))
        #expect(html.contains("content=\"0;url=/add?reloaded=1&amp;url=%22%3E%3Cscript%3E"))
        #expect(html.contains("rel=\"icon\""), "browsers would request /favicon.ico")
    }

    @Test func aBrowserWithoutTheTokenGetsAPageThatSaysWhatToDo() throws {
        let request = ServerRequest(
            "GET",
            "/",
            headers: [("Host", "127.0.0.1:8420"), ("Accept", "text/html")]
        )
        let response = try #require(sut.immediateResponse(to: request))
        guard case .bytes(let bytes) = response.body else {
            Issue.record("not bytes")
            return
        }
        let html = String(decoding: bytes, as: UTF8.self)
        #expect(response.status == 403)
        #expect(html.contains("<h1>This library is locked</h1>"))
        #expect(html.contains("the address that <code>offline serve</code> printed when"))
        #expect(html.contains("run <code>offline serve</code> again"))
        // The policy permits only the style inside the page.
        let policy = try #require(response.header("Content-Security-Policy"))
        #expect(policy.hasPrefix("default-src 'none'; style-src 'unsafe-inline'; img-src 'self';"))
    }

    @Test(arguments: [80, 8420] as [UInt16])
    func onlyTheDefaultPortMayBeOmitted(_ port: UInt16) {
        let sut = RequestGuard(
            port: port,
            addedHosts: [],
            token: .random(),
            tickets: EntryTickets(clock: ManualClock())
        )
        #expect(sut.hosts.contains("localhost") == (port == 80))
    }

    @Test func aRefusalNamesTheRemedy() throws {
        let request = ServerRequest("GET", "/api/items", headers: [("Host", "127.0.0.1:8420")])
        let response = try #require(sut.immediateResponse(to: request))
        guard case .bytes(let bytes) = response.body else {
            Issue.record("not bytes")
            return
        }
        let failure = try JSONCoding.decode(FailureJSON.self, from: bytes)
        #expect(response.status == 403)
        #expect(failure.error.message.contains("`offline serve` printed"))
    }
}
