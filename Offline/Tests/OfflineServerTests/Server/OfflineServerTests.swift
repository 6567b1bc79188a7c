// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import Tidings
import TidingsHTTP

@testable import OfflineAPI
@testable import OfflineApp
@testable import OfflineLibrary
@testable import OfflineMedia
@testable import OfflineModel
@testable import OfflineServer
@testable import OfflineSources

@Suite(.timeLimit(.minutes(15)))
struct OfflineServerTests {
    private static let bearer = "Authorization: Bearer \(TestServer.token)"

    @Test(
        "O15: a foreign request is 403 and nothing is read or changed",
        arguments: [
            ["GET /api/items HTTP/1.1", "Host: evil.example", bearer],
            ["GET /api/items HTTP/1.1", "Host: PORT", "Origin: http://evil.example", bearer],
            ["GET /api/items HTTP/1.1", "Host: PORT"],
            ["GET /media/1 HTTP/1.1", "Host: PORT"],
            ["GET /app.js HTTP/1.1", "Host: PORT"],
            ["GET /sample/part-00.ts HTTP/1.1", "Host: PORT"],
            [
                "GET /api/items HTTP/1.1", "Host: PORT",
                "Cookie: offline_token=x; offline_token_1=y",
            ],
            ["DELETE /api/items/1 HTTP/1.1", "Host: PORT", "Cookie: TOKEN"],
            ["DELETE /api/items/1 HTTP/1.1", "Host: PORT", "Cookie: TOKEN", "Origin: null"],
            ["DELETE /api/items/1 HTTP/1.1", "Host: PORT", "Host: PORT", bearer],
            ["OPTIONS /api/items HTTP/1.1", "Host: PORT", "Origin: http://evil.example"],
        ]
    )
    func o15_foreignRequestsChangeNothing(_ lines: [String]) async throws {
        try await TestServer.run { fixture in
            let item = try fixture.addReady(title: "secret title", bytes: [1, 2, 3])
            let port = fixture.client.port
            let response = try await fixture.client.send(
                lines.map {
                    $0.replacingOccurrences(of: "PORT", with: "127.0.0.1:\(port)")
                        .replacingOccurrences(
                            of: "TOKEN",
                            with: "offline_token_\(port)=\(TestServer.token)"
                        )
                }
            )
            // libmicrohttpd rejects two Host headers before the guard runs.
            #expect(response.status == 403 || (response.status == 400 && lines.count == 4))
            #expect(!response.text.contains("secret title"))
            #expect(!response.head.lowercased().contains("access-control-allow"))
            #expect(try fixture.library.item(item.id).state == .ready)
        }
    }

    @Test func o15_theFirstAddressAdmitsABrowser() async throws {
        try await TestServer.run { fixture in
            let host = "Host: 127.0.0.1:\(fixture.client.port)"
            let first = try await fixture.client.send(
                ["GET /?token=\(TestServer.token) HTTP/1.1", host]
            )
            #expect(first.status == 303)
            #expect(first.header("Location") == "/")
            let cookie = first.header("Set-Cookie")?.split(separator: ";").first ?? ""
            let page = try await fixture.client.send(["GET / HTTP/1.1", host, "Cookie: \(cookie)"])
            #expect(page.status == 200)
            #expect(page.text.contains("<title>Offline</title>"))
            #expect(
                page.header("Content-Security-Policy")?.hasPrefix("default-src 'self';") == true
            )
            #expect(page.header("X-Content-Type-Options") == "nosniff")
            #expect(page.header("Referrer-Policy") == "no-referrer")
        }
    }

    @Test func thePageUsesNoInlineScriptStyleOrForeignAddress() async throws {
        try await TestServer.run { fixture in
            let page = try await fixture.send("GET", "/").text
            #expect(
                !page.contains("<style") && !page.contains("style=") && !page.contains("onclick")
            )
            #expect(!page.contains("src=\"http") && !page.contains("href=\"http"))
            let folder = try ResourceFolder.find().path + "/Page"
            let files = try ResourceFiles(folder: folder)
            for name in files.names where name.hasSuffix(".js") {
                let script = String(decoding: files[name]?.bytes ?? [], as: UTF8.self)
                for word in [
                    "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(",
                ] {
                    #expect(!script.contains(word), "\(name) uses \(word)")
                }
            }
        }
    }

    @Test func titlesStayTextInJSON() async throws {
        try await TestServer.run { fixture in
            let title = "</script><img src=x onerror=alert(1)>\r\n\u{2028}\"quoted\""
            let item = try fixture.addReady(title: title, bytes: [1])
            let response = try await fixture.send("GET", "/api/items/\(item.id)")
            #expect(response.header("Content-Type") == "application/json; charset=utf-8")
            let shown = try JSONCoding.decode(ItemRepresentation.self, from: response.body)
            #expect(shown.title == title)
        }
    }

    @Test func noResponseButTheCookieContainsTheToken() async throws {
        try await TestServer.run { fixture in
            for path in ["/", "/api/items", "/api/items/77", "/sample/sample.m3u8"] {
                let response = try await fixture.send("GET", path)
                #expect(!(response.head + response.text).contains(TestServer.token))
            }
        }
    }

    @Test(arguments: [
        ("/media/../registry.sqlite", 404), ("/media/%2e%2e%2fregistry.sqlite", 404),
        ("/media/1%00", 200), ("/media/1/", 404), ("/media/01x", 404), ("/media/1x", 404),
        ("/media/-1", 404),
        ("/media/99999999999999999999", 404), ("//media/1", 404),
        ("/pictures/../../etc/passwd", 404),
        ("/sample/..%2fPage%2findex.html", 404), ("/index.html", 404), ("/.git/config", 404),
        ("/api/items/1%2fretry", 405),
    ])
    func o11_noPathLeavesItsRoute(_ path: String, _ status: Int) async throws {
        try await TestServer.run { fixture in
            _ = try fixture.addReady(title: "x", bytes: [1, 2, 3])
            #expect(try await fixture.send("GET", path).status == status)
        }
    }

    @Test func theSampleStreamIsServedToTheLibrary() async throws {
        try await TestServer.run { fixture in
            var settings = HTTPClient.Configuration(addressPolicy: .any, userAgent: "tests")
            // The machine may be busy with other tests.
            (settings.connectTimeout, settings.stallTimeout) = (.seconds(300), .seconds(300))
            let client = HTTPClient(settings)
            defer { client.close() }
            var request = HTTPRequest(
                try WebAddress(fixture.server.sockets.sampleAddress),
                method: .get
            )
            request.headers = [HTTPHeader("Authorization", "Bearer \(fixture.server.token)")]
            let (transfer, body) = try await client.fetch(request, limit: 65_536)
            #expect(transfer.head.status == 200)
            #expect(transfer.head.contentType == "application/vnd.apple.mpegurl")
            let playlist = try PlaylistParser.parse(body, at: request.address)
            guard case .master(let master) = playlist else {
                Issue.record("not a master playlist")
                return
            }
            #expect(try master.rendition(.best).height == 360)
        }
    }

    @Test func aConfiguredPortInUseIsAnError() async throws {
        try await TestServer.run { fixture in
            let error = #expect(throws: ServerError.self) {
                _ = try OfflineApp(
                    library: fixture.library,
                    reports: LibraryReports(fixture.library.directory),
                    desktop: nil,
                    configuration: .init(port: fixture.client.port)
                )
            }
            #expect(error?.code == .portTaken)
            #expect(error?.message.contains("--port") == true)
        }
    }

    @Test func theNextFreePortIsUsedByDefault() throws {
        let first = try ListeningSocket.open(on: "127.0.0.1", port: nil, preferred: 18_420)
        defer { first.close() }
        let second = try ListeningSocket.open(on: "127.0.0.1", port: nil, preferred: first.port)
        defer { second.close() }
        #expect(second.port > first.port)
    }

    @Test func bodiesHaveALimit() async throws {
        try await TestServer.run { fixture in
            let large = String(repeating: "x", count: 70_000)
            let announced = try await fixture.send("POST", "/api/downloads", body: "\"\(large)\"")
            #expect(announced.status == 413)
            let chunked =
                [
                    "POST /api/downloads HTTP/1.1", "Host: 127.0.0.1:\(fixture.client.port)",
                    Self.bearer, "Content-Type: application/json", "Transfer-Encoding: chunked", "",
                    "11170", large, "0", "", "",
                ].joined(separator: "\r\n")
            let bytes = try await fixture.client.exchange([UInt8](chunked.utf8)) { _ in false }
            #expect(RawClient.parse(bytes).status != 201)
            let items = try await fixture.send("GET", "/api/items").text
            #expect(items == "{\"items\":[],\"total\":0}")
        }
    }
}
