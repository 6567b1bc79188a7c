// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsTestFixtures

@testable import TidingsHTTP

@Suite(.timeLimit(.minutes(15)))
struct HTTPClientRedirectTests {
    let origin: OriginServer
    let client = HTTPClient(
        HTTPClient.Configuration(addressPolicy: .any, maximumRedirects: 3).patient
    )

    init() throws { origin = try OriginServer() }

    private func failure(_ path: String) async throws -> HTTPError {
        let request = try HTTPRequest(origin.address(path))
        let error = await #expect(throws: HTTPError.self) {
            try await client.fetch(request, limit: 100)
        }
        return try #require(error)
    }

    @Test func redirectChainsAreFollowedAndReported() async throws {
        try await origin.serve([
            "/a": ["redirect": "b/c?d"], "/b/c": ["redirect": "../e", "status": 308],
            "/e": ["text": "end"],
        ])
        let recorder = Recorder()
        let request = try HTTPRequest(origin.address("/a"))
        let transfer = try await client.perform(request, receiver: recorder)
        #expect(transfer.redirects == [try origin.address("/b/c?d"), try origin.address("/e")])
        #expect(transfer.head.address == (try origin.address("/e")))
        #expect(recorder.heads.map(\.status) == [200])
        #expect(recorder.body == Array("end".utf8))
    }

    @Test func aRedirectKeepsTheRange() async throws {
        try await origin.serve(["/a": ["redirect": "/b"], "/b": ["text": "0123456789"]])
        let request = HTTPRequest(try origin.address("/a"), range: HTTPByteRange(offset: 7))
        #expect(try await client.fetch(request, limit: 100).body == Array("789".utf8))
    }

    @Test func aChainOfTwentyRedirectsIsFollowed() async throws {
        try await origin.serve(["/20": ["text": "end"]])
        for number in 0..<20 {
            try await origin.serve(["/\(number)": ["redirect": .text("/\(number + 1)")]])
        }
        let client = HTTPClient(HTTPClient.Configuration(addressPolicy: .any).patient)
        let request = try HTTPRequest(origin.address("/0"))
        #expect(try await client.fetch(request, limit: 100).body == Array("end".utf8))
    }

    @Test func redirectLoopsEnd() async throws {
        try await origin.serve(["/a": ["redirect": "/b"], "/b": ["redirect": "/a"]])
        let error = try await failure("/a")
        #expect(error.code == .tooManyRedirects)
        #expect(!error.isTransient)
        #expect(try await origin.log(finished: 4).count == 4, "the request and three redirects")
    }

    @Test(arguments: [
        ("file:///etc/passwd", HTTPError.Code.unsupportedScheme),
        ("ftp://127.0.0.1/", .unsupportedScheme),
        ("data:text/plain,x", .unsupportedScheme), ("http://", .invalidAddress),
        ("http://user:secret@127.0.0.1/", .invalidAddress),
    ])
    func invalidRedirectTargetsAreRejected(target: String, code: HTTPError.Code) async throws {
        try await origin.serve(["/a": ["redirect": .text(target)]])
        let error = try await failure("/a")
        #expect(error.code == code)
        #expect(!error.description.contains("secret"))
    }

    @Test(arguments: [["endless": true], ["size": 10_000_000], ["size": 1000]] as [JSON])
    func theBodyOfARedirectIsIgnored(route: JSON) async throws {
        guard case .object(var members) = route else { return }
        members["redirect"] = "/b"
        members["status"] = 302
        try await origin.serve(["/a": .object(members), "/b": ["text": "end"]])
        let request = try HTTPRequest(origin.address("/a"))
        #expect(try await client.fetch(request, limit: 3).body == Array("end".utf8))
    }

    @Test func o14_credentialsStayWithTheirOrigin() async throws {
        let other = try OriginServer()
        try await origin.serve([
            "/same": ["redirect": "/own"], "/own": ["text": "x"],
            "/away": ["redirect": .text(other.base + "/there")],
        ])
        // The redirecting server must not control the credentials, even after a redirect back.
        try await other.serve(["/there": ["redirect": .text(origin.base + "/own")]])
        let secrets = [
            HTTPHeader("Authorization", "Bearer secret"), HTTPHeader("Cookie", "a=secret"),
            HTTPHeader("X-Key", "secret"),
        ]
        for path in ["/same", "/away"] {
            let request = HTTPRequest(try origin.address(path), headers: secrets)
            _ = try await client.fetch(request, limit: 100)
        }
        let log = try await origin.log(finished: 4)
        let holders = log.filter { $0.header("Authorization") != nil && $0.header("Cookie") != nil }
        #expect(holders.map(\.path) == ["/same", "/own", "/away"])
        let away = try await other.log(finished: 1) + [log[3]]
        #expect(away.count == 2)
        for entry in away {
            #expect(entry.headers.values.allSatisfy { !$0.contains("secret") })
        }
    }

    @Test func aPostedBodyIsNotSentToAnotherOrigin() async throws {
        let other = try OriginServer()
        try await origin.serve(["/a": ["redirect": .text(other.base + "/x"), "status": 307]])
        let request = HTTPRequest(try origin.address("/a"), method: .post, body: [1])
        let error = await #expect(throws: HTTPError.self) {
            try await client.fetch(request, limit: 100)
        }
        #expect(error?.code == .protocolViolation)
        #expect(try await other.log().isEmpty)
    }

    @Test func cookiesOfAResponseAreNotSentBack() async throws {
        try await origin.serve([
            "/a": ["redirect": "/b", "headers": ["Set-Cookie": "id=1; Path=/"]],
            "/b": ["text": "x"],
        ])
        _ = try await client.fetch(HTTPRequest(origin.address("/a")), limit: 100)
        #expect(try await origin.log(finished: 2).allSatisfy { $0.header("Cookie") == nil })
    }

    @Test func theProgramsOwnServerIsRefusedOnEveryHop() async throws {
        let own = try OriginServer()
        let ownOrigin = try own.address("/").origin
        let careful = HTTPClient(
            HTTPClient.Configuration(addressPolicy: .any, refusedOrigins: [ownOrigin]).patient
        )
        try await origin.serve([
            "/a": ["redirect": .text(own.base + "/x")],
            "/b": ["redirect": .text("http://127.0.0.2:\(own.port)/x")],
            "/c": ["redirect": .text("http://0.0.0.0:\(own.port)/x")],
            "/d": ["redirect": .text("http://localhost:\(own.port)/x")],
        ])
        for path in ["/a", "/b", "/c", "/d"] {
            let request = try HTTPRequest(origin.address(path))
            let error = await #expect(throws: HTTPError.self) {
                try await careful.fetch(request, limit: 100)
            }
            #expect(error?.code == .ownAddress)
        }
        #expect(try await own.log().isEmpty)
    }
}
