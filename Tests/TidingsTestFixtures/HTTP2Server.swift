// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import TidingsCoreFixtures
package import TidingsHTTP

/// The HTTP/2 server of the tests in a separate process.
///
/// `Tests/Servers/origin_http2.py` documents the paths.
///
/// The server stops when the last reference is released or when the test process ends.
package final class HTTP2Server: Sendable {
    /// A request that the server received.
    package struct LogEntry: Sendable, Decodable {
        package let connection: Int
        package let `protocol`: String
        package let path: String
        package let range: String?
        /// The number of other streams of the connection when the request arrived.
        package let others: Int
    }

    /// `https://127.0.0.1:PORT`.
    package let base: String
    /// A client that trusts the server's certificate, for the requests of the test.
    package let client: HTTPClient
    private let program: ChildProgram

    /// Starts a server that permits a number of concurrent streams on each connection.
    package init(streams: Int = 100) throws {
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Servers/origin_http2.py")
        // The system's Python has the protocol as a package.
        program = try ChildProgram(["/usr/bin/python3", script.path, "--streams", "\(streams)"])
        let words = (program.readLine() ?? "").split(separator: " ").map(String.init)
        guard words.count == 2 else {
            throw HTTPError(.cannotConnect, "The test server did not start. Run `make test`.")
        }
        base = words[0]
        client = Self.makeClient(words[1])
    }

    deinit {
        client.close()
        program.closeInput()
        program.waitUntilExit()
    }

    private static func makeClient(_ certificates: String) -> HTTPClient {
        HTTPClient(
            HTTPClient.Configuration(addressPolicy: .any, certificates: certificates).patient
        )
    }

    /// Returns a request for a path.
    package func request(_ path: String) throws -> HTTPRequest {
        HTTPRequest(try WebAddress(base + path))
    }

    /// Fetches a path.
    package func get(_ path: String) async throws -> (transfer: HTTPTransfer, body: [UInt8]) {
        try await client.fetch(try request(path), limit: 64 << 20)
    }

    /// Opens a gate permanently.
    package func openGate(_ name: String) async throws {
        _ = try await get("/_control/open?\(name)")
    }

    /// Waits until `count` requests wait at the gate.
    package func waitForRequests(_ count: Int, atGate name: String) async throws {
        _ = try await get("/_control/wait?\(name)=\(count)")
    }

    /// Returns all requests so far, except requests to the control paths.
    package func log() async throws -> [LogEntry] {
        try JSONDecoder().decode([LogEntry].self, from: Data(try await get("/_control/log").body))
    }
}
