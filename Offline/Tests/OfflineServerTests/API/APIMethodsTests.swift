// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import OfflineAPI

/// The methods of each path, which follow from the operations.
@Suite(.timeLimit(.minutes(15)))
struct APIMethodsTests {
    /// Returns the names in the header `Allow`.
    private func allowed(_ response: RawClient.Response) -> [String] {
        (response.header("Allow") ?? "").split(separator: ", ").map(String.init)
    }

    @Test func eachPathListsItsMethodsAndRefusesOthers() async throws {
        try await TestServer.run { fixture in
            for endpoint in API.endpoints {
                let path = "\(endpoint.path)"
                let options = try await fixture.send("OPTIONS", path)
                #expect(options.status == 204, "\(path)")
                #expect(Set(allowed(options)).isSuperset(of: endpoint.methods), "\(path)")
                let others = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "PROPFIND"]
                    .filter { !allowed(options).contains($0) }
                for method in others {
                    let response = try await fixture.send(method, path, body: "{}")
                    #expect(response.status == 405, "\(method) \(path)")
                    #expect(allowed(response) == allowed(options), "\(method) \(path)")
                }
            }
        }
    }

    @Test(arguments: [
        ("GET", "/api/downloads", "OPTIONS, POST"), ("POST", "/", "GET, HEAD, OPTIONS"),
        ("PUT", "/api/items", "GET, HEAD, OPTIONS, POST"),
        ("POST", "/app.js", "GET, HEAD, OPTIONS"),
        ("PUT", "/api/items/pause", "DELETE, GET, HEAD, OPTIONS, POST"),
        ("HEAD", "/api/events", "GET, OPTIONS"),
    ])
    func aKnownPathNamesItsMethods(method: String, path: String, allow: String) async throws {
        try await TestServer.run { fixture in
            let response = try await fixture.send(method, path, body: method == "HEAD" ? nil : "{}")
            #expect(response.status == 405)
            #expect(response.header("Allow") == allow)
        }
    }

    @Test(arguments: [
        "/nothing", "/api", "/api/nothing", "/api/items/1/x", "/media", "//", "/a/b/c",
    ])
    func noMethodReachesAnUnknownPath(path: String) async throws {
        try await TestServer.run { fixture in
            for method in ["GET", "POST", "OPTIONS", "PROPFIND"] {
                let response = try await fixture.send(method, path, body: "{}")
                #expect(response.status == 404, "\(method) \(path)")
                #expect(response.header("Allow") == nil)
            }
        }
    }

    @Test(
        arguments: [
            ("/api/items/{id}/pause", "/api/items/7/pause", ["7"]),
            ("/lessons/{id*}/downloads", "/lessons/a/1 ä/downloads", ["a/1 ä"]),
            ("/subtitles/{id}/{number}", "/subtitles/1/2", ["1", "2"]),
            ("/lessons/{id*}/downloads", "/lessons/downloads", nil), ("/a/{id}", "/a", nil),
            ("/a/{id}", "/a/1/b", nil), ("/a", "/b", nil),
        ] as [(String, String, [String]?)]
    )
    func aTemplateReadsTheValues(template: String, path: String, values: [String]?) {
        let parts = Array(path.split(separator: "/"))
        #expect(PathTemplate(template).values(in: parts) == values)
    }
}
