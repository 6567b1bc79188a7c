// SPDX-License-Identifier: Apache-2.0
internal import Foundation
package import TidingsHTTP

/// The loopback web server of the tests.
///
/// `Tests/Servers/origin.py` documents the routes. The server stops when the last reference is
/// released or when the test process ends.
///
/// ```swift
/// let origin = try OriginServer()
/// try await origin.serve(["/a": ["size": 1000, "cut": 500]])
/// ```
package final class OriginServer: Sendable {
    /// A request that the server received.
    package struct LogEntry: Sendable, Decodable {
        package let index: Int
        package let connection: Int
        package let method: String
        package let path: String
        package let range: String?
        package let headers: [String: String]
        package let body: String
        package let status: Int?
        package let sent: Int
        package let finished: Bool

        /// Returns the value of a header.
        ///
        /// Names are case-insensitive.
        package func header(_ name: String) -> String? {
            headers.first { $0.key.lowercased() == name.lowercased() }?.value
        }
    }

    /// `http://127.0.0.1:PORT`.
    package let base: String
    /// The port of the server.
    package let port: Int
    private let control: HTTPClient

    /// Starts a server on a new port.
    package init() throws {
        base = try OriginProcess.shared.get().startServer()
        port = try WebAddress(base).port
        // The client is more patient than the server, whose answer names the awaited event.
        control = HTTPClient(
            HTTPClient.Configuration(addressPolicy: .any, stallTimeout: .seconds(700))
        )
    }

    deinit {
        control.close()
        try? OriginProcess.shared.get().closeServer(port: port)
    }

    /// Returns the address of a path.
    package func address(_ path: String) throws -> WebAddress { try WebAddress(base + path) }

    /// Adds routes.
    package func serve(_ routes: [String: JSON]) async throws {
        try await send(.post, "routes", body: Array(JSONEncoder().encode(routes)))
    }

    /// Opens a gate permanently.
    package func openGate(_ name: String) async throws {
        try await send(.post, "gates/\(name)")
    }

    /// Waits until `count` requests wait at the gate.
    package func waitForRequests(_ count: Int = 1, atGate name: String) async throws {
        try await send(.get, "gates/\(name)?waiting=\(count)")
    }

    /// Waits until `finished` requests are finished, and returns all requests so far.
    package func log(finished: Int = 0) async throws -> [LogEntry] {
        let body = try await send(.get, "log?finished=\(finished)")
        return try JSONDecoder().decode([LogEntry].self, from: Data(body))
    }

    /// Removes all routes and gates and clears the log.
    package func reset() async throws {
        try await send(.post, "reset")
    }

    @discardableResult
    private func send(
        _ method: HTTPRequest.Method,
        _ path: String,
        body: [UInt8]? = nil
    )
        async throws -> [UInt8]
    {
        let request = HTTPRequest(try address("/_control/" + path), method: method, body: body)
        let (transfer, response) = try await control.fetch(request, limit: 64 << 20)
        guard transfer.head.status == 200 else {
            throw HTTPError(.timedOut, "The test server failed or timed out at \(path).")
        }
        return response
    }
}
