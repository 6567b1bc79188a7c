// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization
import Testing
import TidingsTestFixtures

@testable import TidingsHTTP

@Suite(.timeLimit(.minutes(15)))
struct HTTPClientConnectionTests {
    let origin: OriginServer
    let client = HTTPClient(HTTPClient.Configuration(addressPolicy: .any).patient)

    init() throws { origin = try OriginServer() }

    private func failure(_ address: String, client: HTTPClient? = nil) async throws -> HTTPError {
        let request = try HTTPRequest(WebAddress(address))
        let error = await #expect(throws: HTTPError.self) {
            try await (client ?? self.client).fetch(request, limit: 1 << 20)
        }
        return try #require(error)
    }

    @Test(arguments: [
        "127.0.0.1", "localhost", "127.1", "2130706433", "0x7f000001", "0.0.0.0", "127.0.0.2",
    ])
    func o11_privateAddressesAreRefusedWhenConnecting(host: String) async throws {
        try await origin.serve(["/a": ["text": "secret"]])
        let strict = HTTPClient()
        let error = try await failure(
            "http://\(host):\(origin.port)/a?token=secret",
            client: strict
        )
        #expect(error.code == .privateAddress)
        #expect(error.message.contains("--allow-private"))
        #expect(!error.message.contains("secret"))
        #expect(!error.isTransient)
        #expect(try await origin.log().isEmpty)
    }

    @Test func aClosedPortCannotBeConnected() async throws {
        let error = try await failure("http://127.0.0.1:1/?token=secret")
        #expect(error.code == .cannotConnect)
        #expect(error.isTransient)
        #expect(!error.message.contains("secret"))
    }

    @Test func anUnknownNameCannotBeResolved() async throws {
        let error = try await failure("http://no-such-name.invalid/?token=secret")
        #expect(error.code == .cannotResolve)
        #expect(!error.message.contains("secret"))
    }

    @Test func plainTextAtAnHTTPSPortFailsTheHandshake() async throws {
        let error = try await failure("https://127.0.0.1:\(origin.port)/?token=secret")
        #expect(error.code == .handshakeFailed)
        #expect(error.isTransient)
        #expect(!error.message.contains("secret"))
    }

    @Test(
        arguments: [
            ["text": "x", "gate": "never"], ["size": 100_000, "gate": "never", "gateAfter": 10],
            ["text": "x", "headDrip": 0.05],
        ] as [JSON]
    )
    func aStallEndsATransfer(route: JSON) async throws {
        try await origin.serve(["/a": route])
        let impatient = HTTPClient(
            HTTPClient.Configuration(addressPolicy: .any, stallTimeout: .seconds(1))
        )
        let error = try await failure(origin.base + "/a?token=secret", client: impatient)
        #expect(error.code == .timedOut)
        #expect(error.isTransient)
        #expect(!error.message.contains("secret"))
        try await origin.openGate("never")
    }

    @Test func aSlowBodyDoesNotTimeOut() async throws {
        // The body takes longer than the timeout, without a pause that comes near the timeout.
        try await origin.serve(["/a": ["size": 220, "drip": [1, 0.05]]])
        let client = HTTPClient(
            HTTPClient.Configuration(addressPolicy: .any, stallTimeout: .seconds(10))
        )
        // The machine may also pause for as long as the timeout.
        var size: Int64?
        for _ in 0..<20 where size == nil {
            let request = try HTTPRequest(origin.address("/a"))
            size = try? await Int64(client.fetch(request, limit: 220).0.bodyBytes)
        }
        #expect(size == 220)
    }

    @Test func anIdleClientSleeps() async throws {
        try await origin.serve(["/a": ["text": "x"]])
        _ = try await client.fetch(HTTPRequest(origin.address("/a")), limit: 100)
        let before = client.engine.loopTurns.load(ordering: .relaxed)
        let other = HTTPClient(HTTPClient.Configuration(addressPolicy: .any).patient)
        try await origin.serve(["/slow": ["size": 20, "drip": [1, 0.05]]])
        _ = try await other.fetch(HTTPRequest(origin.address("/slow")), limit: 100)
        #expect(client.engine.loopTurns.load(ordering: .relaxed) - before <= 1)
        #expect(
            other.engine.loopTurns.load(ordering: .relaxed) < 100,
            "a turn per piece, no polling"
        )
    }

    @Test func theEnvironmentIsIgnored() async {
        await #expect(processExitsWith: .success) {
            for name in ["http_proxy", "HTTPS_PROXY", "ALL_PROXY", "all_proxy"] {
                setenv(name, "http://127.0.0.1:1/", 1)
            }
            unsetenv("no_proxy")
            let origin = try OriginServer()
            try await origin.serve(["/a": ["text": "x"]])
            let client = HTTPClient(HTTPClient.Configuration(addressPolicy: .any).patient)
            let request = try HTTPRequest(origin.address("/a"))
            let (_, body) = try await client.fetch(request, limit: 100)
            #expect(body == Array("x".utf8))
        }
    }
}
